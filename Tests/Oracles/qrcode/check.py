#!/usr/bin/env python3
"""Reads our QR codes with ZXing, and compares each module with python-qrcode: `Tests/Oracles/qrcode/check.py PROGRAM`.

PROGRAM is `Tests/Oracles/qrcode/main.swift` with the encoder. It reads one text per line.
"""

import random
import subprocess
import sys

if len(sys.argv) != 2 or "--help" in sys.argv:
    sys.exit(__doc__)

import numpy
import qrcode
import zxingcpp
from qrcode.util import MODE_8BIT_BYTE, QRData

random.seed(18004)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~%:/?&=#"
texts = []
for length in range(1, 272):
    for _ in range(2):
        address = f"http://192.168.{random.randrange(256)}.{random.randrange(256)}:{random.randrange(1024, 65536)}/?token=" if length > 12 else ""
        texts.append((address + "".join(random.choices(LETTERS, k=300)))[:length])
texts += ["あ" * length for length in range(1, 91)]


def level_and_mask(modules):
    """Returns level and mask from the format bits next to the first finder pattern (ISO/IEC 18004, 7.9)."""
    places = [(0, 8), (1, 8), (2, 8), (3, 8), (4, 8), (5, 8), (7, 8), (8, 8), (8, 7), (8, 5), (8, 4), (8, 3), (8, 2), (8, 1), (8, 0)]
    bits = sum(int(modules[place]) << index for index, place in enumerate(places)) ^ 0b101010000010010
    return bits >> 13, bits >> 10 & 7


def peer(text, size, level, mask):
    code = qrcode.QRCode(version=(size - 17) // 4, error_correction=level, border=0, mask_pattern=mask)
    code.add_data(QRData(text.encode(), mode=MODE_8BIT_BYTE))
    code.make(fit=False)
    return numpy.array(code.modules).astype(int)


def penalty(modules):
    """Returns the penalty (ISO/IEC 18004, 7.8.3.1). The quiet zone counts as light next to finder-like patterns."""
    size, points = len(modules), 0
    for lines in (modules, modules.T):
        for line in lines:
            text = "".join(map(str, line))
            points += sum(len(run) - 2 for part in text.replace("01", "0 1").replace("10", "1 0").split() for run in [part] if len(run) >= 5)
            quiet = f"0000{text}0000"
            points += 40 * sum(quiet.startswith(look, start) for start in range(len(quiet)) for look in ("10111010000", "00001011101"))
    corners = modules[1:, 1:] + modules[:-1, 1:] + modules[1:, :-1] + modules[:-1, :-1]
    points += 3 * int(((corners == 0) | (corners == 4)).sum())
    return points + abs(int(modules.sum()) * 20 - size * size * 10) // (size * size) * 10


answers = subprocess.run([sys.argv[1]], input="\n".join([*texts, "x" * 272]) + "\n", capture_output=True, text=True, check=True).stdout.split()
failures, masks, sizes = [], set(), set()
for number, (text, answer) in enumerate(zip(texts, answers)):
    modules = numpy.array([[int(module) for module in row] for row in answer.split(",")])
    size = len(modules)
    level, mask = level_and_mask(modules)
    masks.add(mask)
    sizes.add((size, level))
    image = numpy.kron(numpy.pad(1 - modules, 4, constant_values=1) * 255, numpy.ones((4, 4))).astype(numpy.uint8)
    found = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)
    if [code.text for code in found] != [text]:
        failures.append(f"ZXing reads {[code.text for code in found]} and not {text}")
    if not (peer(text, size, level, mask) == modules).all():
        failures.append(f"python-qrcode draws {text} in another way")
    if number % 7 == 0 and min(range(8), key=lambda mask: penalty(peer(text, size, level, mask))) != mask:
        failures.append(f"another mask than {mask} has the lowest penalty for {text}")
if answers[len(texts)] != "none":
    failures.append("a string that is too long gets a code")
if masks != set(range(8)) or len(sizes) < 15:
    failures.append(f"not all masks and versions were tried: {masks}, {sizes}")
print(f"{len(texts)} codes of {len(sizes)} versions and levels, read by ZXing and drawn alike by python-qrcode; {len(failures)} failures")
sys.exit("\n".join(failures[:10]) if failures else 0)
