// Which exports the three programs can reach: server, command line and console, declaration by declaration.
// A file that is imported for one of its exports does not make the others count.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

const extension = /\.(ts|tsx|mjs)$/;

/** Whether an export of a file, or without a name anything of it, can be reached from the entry files; paths are relative to the root. */
export function reachableFrom(root, entries) {
  const modules = new Map();
  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(root, file));
    return modules.get(file);
  };
  const reached = new Set();
  const waiting = [];
  /** Wants an export, or all of them by `*`, of a module. */
  const want = (file, name) => {
    const key = `${file}#${name}`;
    if (reached.has(key)) return;
    reached.add(key);
    waiting.push([file, name]);
  };
  for (const entry of entries) want(entry, '*');
  while (waiting.length > 0) {
    const [file, name] = waiting.pop();
    const found = moduleOf(file);
    // Whoever needs anything of a file runs what stands at its top.
    for (const reference of found.atTop) want(...reference);
    if (name === '*') for (const exported of found.exports.keys()) want(file, exported);
    const places = name === '*' ? [] : (found.exports.get(name) ?? []);
    for (const place of places) want(...place);
    if (name === '*' || places.length === 0) for (const from of found.stars) want(from, name);
    for (const reference of found.declared.get(name) ?? []) want(...reference);
  }
  // What another declaration of the same file uses counts as well.
  return (file, name) =>
    name === undefined
      ? modules.has(file)
      : reached.has(`${file}#${name}`) || reached.has(`${file}#local ${name}`);
}

/**
 * A module as its exports (`[[file, name]]` by exported name), what each of its declarations refers to (by `local name`),
 * what its other statements refer to, and the modules that it exports as a whole.
 */
function readModule(root, file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('.tsx') ? ts.ScriptKind.TSX : undefined,
  );
  const resolved = (specifier) => resolve(root, file, specifier);
  const imports = importsOf(source, resolved);
  const names = new Set(source.statements.flatMap(namesOf));
  const found = { exports: new Map(), declared: new Map(), atTop: [], stars: [] };
  const local = (name) => `local ${name}`;
  const refer = (name) => imports.get(name) ?? (names.has(name) ? [file, local(name)] : undefined);
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = statement.importClause ? undefined : resolved(statement.moduleSpecifier.text);
      if (from) found.atTop.push([from, '']);
      continue;
    }
    if (ts.isExportDeclaration(statement)) {
      addReExport(statement, found, refer, resolved);
      continue;
    }
    const references = referencesIn(statement, refer, resolved);
    const own = namesOf(statement);
    for (const name of own) found.declared.set(local(name), references);
    if (ts.isExportAssignment(statement)) {
      found.declared.set(local('default'), references);
      found.exports.set('default', [[file, local('default')]]);
    } else if (own.length === 0) found.atTop.push(...references);
    if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    const isDefault = statement.modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    for (const name of own) found.exports.set(isDefault ? 'default' : name, [[file, local(name)]]);
  }
  return found;
}

/** What each imported name stands for: `[file, name]`, with the name `*` for a whole module. */
function importsOf(source, resolved) {
  const imports = new Map();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !statement.importClause || statement.importClause.isTypeOnly)
      continue;
    const from = resolved(statement.moduleSpecifier.text);
    if (!from) continue;
    const { name, namedBindings } = statement.importClause;
    if (name) imports.set(name.text, [from, 'default']);
    if (namedBindings && ts.isNamespaceImport(namedBindings))
      imports.set(namedBindings.name.text, [from, '*']);
    if (namedBindings && ts.isNamedImports(namedBindings))
      for (const element of namedBindings.elements)
        if (!element.isTypeOnly)
          imports.set(element.name.text, [from, (element.propertyName ?? element.name).text]);
  }
  return imports;
}

function addReExport(statement, found, refer, resolved) {
  if (statement.isTypeOnly) return;
  const from = statement.moduleSpecifier && resolved(statement.moduleSpecifier.text);
  if (!statement.exportClause) {
    if (from) found.stars.push(from);
    return;
  }
  if (!ts.isNamedExports(statement.exportClause)) {
    if (from) found.exports.set(statement.exportClause.name.text, [[from, '*']]);
    return;
  }
  for (const element of statement.exportClause.elements) {
    if (element.isTypeOnly) continue;
    const name = (element.propertyName ?? element.name).text;
    const place = statement.moduleSpecifier ? from && [from, name] : refer(name);
    found.exports.set(element.name.text, place ? [place] : []);
  }
}

/** The names that a statement declares for the program; types declare none. */
function namesOf(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const declares =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return declares ? [statement.name?.text ?? 'default'] : [];
}

function boundNames(name) {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

/** What the code below a node refers to; the names of properties and everything that is a type are no references. */
function referencesIn(node, refer, resolved) {
  const found = [];
  const visit = (one) => {
    if (ts.isTypeNode(one) && !ts.isExpressionWithTypeArguments(one)) return;
    if (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) return;
    if (ts.isCallExpression(one) && one.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = one.arguments;
      const from = specifier && ts.isStringLiteralLike(specifier) ? resolved(specifier.text) : undefined;
      if (from) for (const name of awaitedNames(one)) found.push([from, name]);
    }
    // A worker is a program of its own: `new URL('./worker.ts', import.meta.url)`.
    if (ts.isNewExpression(one) && one.expression.getText() === 'URL') {
      const [specifier] = one.arguments ?? [];
      const from = specifier && ts.isStringLiteralLike(specifier) ? resolved(specifier.text) : undefined;
      if (from) found.push([from, '*']);
    }
    if (ts.isIdentifier(one) && !isPropertyName(one)) {
      const place = refer(one.text);
      if (place) found.push(memberOf(one, place));
    }
    ts.forEachChild(one, visit);
  };
  visit(node);
  return found;
}

/** `words.en` of a whole module is one export of it. */
function memberOf(node, [file, name]) {
  const { parent } = node;
  const isMember = name === '*' && ts.isPropertyAccessExpression(parent) && parent.expression === node;
  return isMember ? [file, parent.name.text] : [file, name];
}

function isPropertyName(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  return (
    (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isJsxAttribute(parent)) &&
    parent.name === node
  );
}

/** The exports that are taken of `import(...)`: by a pattern or a member behind `await`, or as parameters of `then`; else all. */
function awaitedNames(call) {
  let node = call;
  while (ts.isParenthesizedExpression(node.parent) || ts.isAwaitExpression(node.parent)) node = node.parent;
  const { parent } = node;
  const isAwaited = node !== call;
  if (isAwaited && ts.isPropertyAccessExpression(parent)) return [parent.name.text];
  if (isAwaited && ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name))
    return patternNames(parent.name);
  if (ts.isPropertyAccessExpression(parent) && parent.name.text === 'then') {
    const [taken] = parent.parent.arguments ?? [];
    const pattern = taken && ts.isArrowFunction(taken) ? taken.parameters[0]?.name : undefined;
    if (pattern && ts.isObjectBindingPattern(pattern)) return patternNames(pattern);
  }
  return ['*'];
}

const patternNames = (pattern) =>
  pattern.elements.map(({ propertyName, name }) => (propertyName ?? name).text);

/** The file of this repository that a specifier names, if it names one. */
function resolve(root, file, specifier) {
  const path = specifier.startsWith('@yagura/core/')
    ? `core/src/${specifier.slice('@yagura/core/'.length)}.ts`
    : specifier.startsWith('.')
      ? normalize(join(dirname(file), specifier))
      : undefined;
  return path && extension.test(path) && existsSync(join(root, path)) ? path : undefined;
}
