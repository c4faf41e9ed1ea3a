// Finds out which statements a test executes: each statement and each short arrow function gets a probe that notes it.
import ts from 'typescript';

/**
 * The file with a probe for each statement inside a function. `probes` has the place of each in the original text; a probe adds its
 * place after `first`, which makes it unique among files, to the set `globalThis.executedProbes` where there is one.
 */
export function withProbes(path, source, first = 0) {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
  const probes = [];
  const inserted = [];
  const probe = (node) => {
    probes.push({ start: node.getStart(file), end: node.getEnd() });
    return `globalThis.executedProbes?.add(${first + probes.length - 1})`;
  };
  const surround = (node, before, after) => {
    inserted.push({ at: node.getStart(file), text: before }, { at: node.getEnd(), text: after });
  };
  const visit = (node, inFunction) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (inFunction && ts.isStatement(node) && !ts.isBlock(node) && !ts.isFunctionDeclaration(node)) {
      if (ts.isBlock(node.parent) || ts.isCaseOrDefaultClause(node.parent))
        surround(node, `${probe(node)};`, '');
      else if (!ts.isLabeledStatement(node.parent)) surround(node, `{${probe(node)};`, '}');
    } else if (ts.isArrowFunction(node.parent ?? node) && node === node.parent?.body && !ts.isBlock(node))
      surround(node, `(${probe(node)},`, ')');
    const within = inFunction || ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node);
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(file, false);
  let text = source;
  // The later the place, the earlier it is changed; of two at one place the outer one comes out first.
  const order = inserted.map((one, index) => ({ ...one, index }));
  order.sort((left, right) => right.at - left.at || right.index - left.index);
  for (const { at, text: added } of order) text = text.slice(0, at) + added + text.slice(at);
  return { text, probes };
}

/** The number of the innermost probe around a place; undefined for what runs when the file is loaded. */
export function probeAt(probes, { start, end }) {
  let found;
  for (const [index, one] of probes.entries())
    if (one.start <= start && end <= one.end && (found === undefined || one.start >= probes[found].start))
      found = index;
  return found;
}
