// Prints the calls of generated TypeScript that the TypeScript compiler resolves: `script_calls.js LOGS FILE…`.
//
// Each line is a JSON object with file, line, column, name (the module and the function), passed (the keys of the object
// literal), and kind: "call", "open" (other keys may be passed), "reference" or "module".
"use strict";
const path = require("path");
const ts = require(process.env.TYPESCRIPT || "/usr/share/nodejs/typescript/lib/typescript.js");

const [logs, ...files] = process.argv.slice(2);
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.NodeJs,
  jsx: ts.JsxEmit.Preserve, allowJs: true, strict: false, types: [], esModuleInterop: true,
});
const checker = program.getTypeChecker();

function resolved(node) {
  let symbol = checker.getSymbolAtLocation(node);
  while (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declaration = symbol && symbol.declarations && symbol.declarations[0];
  if (!declaration) return undefined;
  const file = declaration.getSourceFile().fileName;
  if (path.dirname(path.resolve(file)) !== path.resolve(logs)) return undefined;
  const module = path.basename(file, ".ts");
  if (ts.isSourceFile(declaration)) return { module, name: undefined };
  return ts.isFunctionDeclaration(declaration) ? { module, name: declaration.name.text } : undefined;
}

function start(node) {
  while (true) {
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isNonNullExpression(node)) node = node.expression;
    else return node.getStart();
  }
}

function outer(node) {
  while (ts.isParenthesizedExpression(node.parent) || ts.isNonNullExpression(node.parent)) node = node.parent;
  return node;
}

function columns(call) {
  const argument = call.arguments[0];
  if (!argument) return { kind: "call", passed: [] };
  let literal = argument;
  while (ts.isAsExpression(literal) || ts.isParenthesizedExpression(literal)) literal = literal.expression;
  if (!ts.isObjectLiteralExpression(literal)) return { kind: "open", passed: [] };
  const passed = [];
  let isOpen = false;
  for (const property of literal.properties) {
    const name = property.name;
    if (ts.isSpreadAssignment(property)) isOpen = true;
    else if (ts.isComputedPropertyName(name) && !ts.isStringLiteral(name.expression)) isOpen = true;
    else passed.push(ts.isComputedPropertyName(name) ? name.expression.text : name.text);
  }
  return { kind: isOpen ? "open" : "call", passed };
}

function report(file, position, meaning, found) {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  console.log(JSON.stringify({ file: file.fileName, line: line + 1, column: character + 1, ...meaning, ...found }));
}

function visit(file, node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
  if (ts.isVariableDeclaration(node) && node.initializer && /^(await import|require)\("[^"]*"\)$/.test(node.initializer.getText())) return;
  ts.forEachChild(node, (child) => visit(file, child));
  // The name at the end of `a.b.c`, or a name by itself.
  let expression = node;
  let name = node;
  if (ts.isIdentifier(node)) {
    const parent = node.parent;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) expression = parent;
    else if (ts.isPropertyAssignment(parent) && parent.name === node) return;
    else if (parent.name === node && !ts.isShorthandPropertyAssignment(parent)) return;
  } else if (ts.isStringLiteral(node) && ts.isElementAccessExpression(node.parent) && node.parent.argumentExpression === node) {
    expression = node.parent;
  } else if (ts.isCallExpression(node) && node.expression.getText() === "require") {
    return;
  } else {
    return;
  }
  if (ts.isShorthandPropertyAssignment(node.parent)) {
    const value = checker.getShorthandAssignmentValueSymbol(node.parent);
    name = value && value.declarations && value.declarations[0].name || node;
  }
  const meaning = resolved(name);
  if (!meaning) return;
  if (ts.isTypeOfExpression(outer(expression).parent)) return;
  const parent = outer(expression).parent;
  if (meaning.name === undefined) {
    const isMember =
      ts.isPropertyAccessExpression(parent) && parent.expression === outer(expression) ||
      ts.isElementAccessExpression(parent) && parent.expression === outer(expression) && ts.isStringLiteral(parent.argumentExpression);
    if (!isMember) report(file, start(expression), meaning, { kind: "module", passed: [] });
  } else if (ts.isCallExpression(parent) && parent.expression === outer(expression)) {
    report(file, start(expression), meaning, columns(parent));
  } else {
    report(file, start(expression), meaning, { kind: "reference", passed: [] });
  }
}

for (const file of program.getSourceFiles()) {
  if (files.some((name) => path.resolve(name) === path.resolve(file.fileName))) visit(file, file);
}

for (const file of program.getSourceFiles()) {
  if (!files.includes(file.fileName)) continue;
  for (const found of program.getSyntacticDiagnostics(file)) {
    const { line } = file.getLineAndCharacterOfPosition(found.start);
    console.error(`${file.fileName}:${line + 1}: ${ts.flattenDiagnosticMessageText(found.messageText, " ")}`);
    process.exitCode = 1;
  }
}
