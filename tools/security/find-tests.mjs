// Titles of the tests, groups and table rows of a test file that are run: what is skipped, or only written about, is not among them.
import ts from 'typescript';

const makers = new Set(['test', 'it', 'describe']);
/** Ways of marking a test so that it does not run, or counts as passed when it fails. */
const idle = new Set(['skip', 'todo', 'fails', 'skipIf', 'runIf']);

/** The name of the maker at the root of `test.each(...)`, and the marks on the way to it. */
function makerOf(node) {
  const marks = [];
  let at = node;
  while (!ts.isIdentifier(at)) {
    if (ts.isPropertyAccessExpression(at)) {
      marks.push(at.name.text);
      at = at.expression;
    } else if (ts.isCallExpression(at) || ts.isTaggedTemplateExpression(at)) {
      at = ts.isCallExpression(at) ? at.expression : at.tag;
    } else return undefined;
  }
  return makers.has(at.text) ? marks : undefined;
}

const isText = (node) => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

/** All of a source text. */
export function titlesOf(source) {
  const titles = new Set();
  const file = ts.createSourceFile('test.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);

  function addRows(node) {
    if (isText(node)) titles.add(node.text);
    ts.forEachChild(node, addRows);
  }

  function visit(node) {
    if (ts.isCallExpression(node)) {
      const marks = makerOf(node.expression);
      const [title] = node.arguments;
      if (marks && title && isText(title) && node.arguments.length > 1) {
        // What is within a group that is skipped does not run either.
        if (marks.some((mark) => idle.has(mark))) return;
        titles.add(title.text);
        if (ts.isCallExpression(node.expression))
          for (const table of node.expression.arguments) addRows(table);
      }
    }
    ts.forEachChild(node, visit);
  }

  visit(file);
  return titles;
}
