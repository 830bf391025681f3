// Prints the modules of each line's QR code, row by row, for `Tests/Oracles/qrcode/check.py`.
while let line = readLine() {
    guard let code = QRCode(line) else {
        print("none")
        continue
    }
    print(
        (0..<code.size).map { row in (0..<code.size).map { code[row, $0] ? "1" : "0" }.joined() }.joined(separator: ",")
    )
}
