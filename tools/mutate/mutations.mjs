// Finds the small faults that could be put into a TypeScript file: one place, one change, each with the words that name it.
import ts from 'typescript';

/** Opposite or neighbouring operators; several choices are several mutations. */
const operators = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
};
const methods = { some: 'every', every: 'some', min: 'max', max: 'min', startsWith: 'endsWith' };

/** Parts of SQL: what is looked for and what stands there instead. */
const sqlParts = [
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ < (?!=)/g, ' <= '],
  [/ > (?!=)/g, ' >= '],
  [/ is not null/g, ' is null'],
  [/ is null/g, ' is not null'],
  [/not exists \(/g, 'exists ('],
  [/ asc\b/g, ' desc'],
  [/ desc\b/g, ' asc'],
  [/ on conflict do nothing/g, ''],
];
/** Only one connection uses the embedded engine, so locks of rows make a difference with several stores only. */
const sqlLock = [/ for update/g, ''];
/** One comparison of a where clause, which then holds for every row. */
const sqlComparison = /(?<=\b(?:where|and|or) )(?:not )?[\w.]+ (?:=|<|>|<=|>=|<>) \$\d+(?:::\w+)?(?![\w(])/g;

/**
 * Every mutation of a file: `{ start, end, text, kind }`, in order of their place. Locks of rows are removed only with `stores`, which
 * tells that the tests run with PostgreSQL, too.
 */
export function mutationsOf(path, source, { stores = false } = {}) {
  const parts = stores ? [...sqlParts, sqlLock] : sqlParts;
  const file = ts.createSourceFile(
    path,
    source,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found = [];
  const add = (kind, node, text) =>
    found.push({ kind, start: node.getStart(file), end: node.getEnd(), text });
  const visit = (node) => {
    if (isLeftOut(node, file)) return;
    if (ts.isBinaryExpression(node)) {
      for (const text of operators[node.operatorToken.getText(file)] ?? [])
        add('operator', node.operatorToken, text);
      // Beside another ??, and is a syntax error without parentheses.
      if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
        add('operator', node, `((${node.left.getText(file)}) && (${node.right.getText(file)}))`);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add('negation', node, node.operand.getText(file));
    else if (ts.isIfStatement(node)) {
      if (!node.elseStatement && endsFlow(node.thenStatement)) add('guard', node, '');
      else add('condition', node.expression, 'false');
    } else if (ts.isExpressionStatement(node)) add('statement', node, ';');
    else if (ts.isConditionalExpression(node) && !isLock(node.whenTrue))
      add('choice', node, `(${node.whenFalse.getText(file)})`);
    else if (ts.isAwaitExpression(node) && ts.isExpressionStatement(node.parent))
      add('await', node, `void ${node.expression.getText(file)}`);
    else if (
      ts.isNumericLiteral(node) &&
      !ts.isEnumMember(node.parent) &&
      !ts.isPropertyAssignment(node.parent)
    )
      for (const text of otherNumbers(node)) add('number', node, text);
    else if (node.kind === ts.SyntaxKind.TrueKeyword && !ts.isLiteralTypeNode(node.parent))
      add('flag', node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword && !ts.isLiteralTypeNode(node.parent))
      add('flag', node, 'true');
    else if (
      ts.isPropertyAccessExpression(node) &&
      ts.isCallExpression(node.parent) &&
      Object.hasOwn(methods, node.name.text)
    )
      add('method', node.name, methods[node.name.text]);
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(...sqlMutations(node, file, parts));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.sort((left, right) => left.start - right.start || left.text.localeCompare(right.text));
}

/**
 * What says nothing of behaviour: imports, types, what is written to the log, and the texts of the errors of JavaScript itself, which
 * only developers read. Errors of the project are not left out: their arguments are codes and texts that users see.
 */
function isLeftOut(node, file) {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return true;
  if (ts.isTypeAliasDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (isErrorText(node)) return true;
  const call = ts.isExpressionStatement(node) ? node.expression : node;
  return ts.isCallExpression(call) && /(^|\.)(log|log[A-Z]\w*)$/.test(call.expression.getText(file));
}

function isErrorText(node) {
  const { parent } = node;
  return (
    (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) &&
    parent !== undefined &&
    ts.isNewExpression(parent) &&
    parent.arguments?.[0] === node &&
    ['Error', 'TypeError', 'RangeError', 'SyntaxError'].includes(parent.expression.getText())
  );
}

/**
 * Of the value of a constant or a default, which mostly is a limit or a time where one more says nothing: ten times as much and, where
 * that is a whole number, a tenth. Of any other number, such as an operand, an index or an argument: one more, from 1,000 on ten times
 * as much. Zero becomes one everywhere.
 */
function otherNumbers(node) {
  const value = Number(node.text);
  if (value === 0) return ['1'];
  if (isConstant(node)) return [value / 10, value * 10].filter(Number.isInteger).map(String);
  return [String(value >= 1000 ? value * 10 : value + 1)];
}

/** Whether the number, or a product of numbers that it is part of, is all of the value of a constant or of a default. */
function isConstant(node) {
  let whole = node;
  while (isProductOfNumbers(whole.parent)) whole = whole.parent;
  const { parent } = whole;
  if (ts.isVariableDeclaration(parent)) return (parent.parent.flags & ts.NodeFlags.Const) !== 0;
  if (ts.isPropertyDeclaration(parent))
    return parent.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) ?? false;
  if (ts.isParameter(parent) || ts.isBindingElement(parent)) return true;
  return (
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken &&
    parent.right === whole
  );
}

function isProductOfNumbers(node) {
  return (
    ts.isNumericLiteral(node) ||
    (ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.AsteriskToken &&
      isProductOfNumbers(node.left) &&
      isProductOfNumbers(node.right))
  );
}

function endsFlow(statement) {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return (
    last !== undefined &&
    (ts.isReturnStatement(last) ||
      ts.isThrowStatement(last) ||
      ts.isContinueStatement(last) ||
      ts.isBreakStatement(last))
  );
}

/** Whether it is the lock of `locked ? ' for update' : ''`, which is removed as a part of SQL. */
function isLock(node) {
  return ts.isStringLiteralLike(node) && node.text.trim() === 'for update';
}

function sqlMutations(node, file, parts) {
  const start = node.getStart(file);
  const text = node.getText(file);
  if (!/\b(?:select|update|delete from|insert into|where|order by)\b/.test(text)) return [];
  const found = [];
  const at = (match, text) =>
    found.push({ kind: 'sql', start: start + match.index, end: start + match.index + match[0].length, text });
  for (const [pattern, instead] of parts) for (const match of text.matchAll(pattern)) at(match, instead);
  for (const match of text.matchAll(sqlComparison)) at(match, `(${match[0]} or true)`);
  return found;
}
