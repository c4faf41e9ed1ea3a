// Checks the size of files and folders, that folders depend on one another in one direction, and that declared
// names use the field's terms (CONTRIBUTING.md, "Names").
// Usage: node tools/structure.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { findFolderCycle } from './folder-cycles.mjs';
import { root } from './run.mjs';

const maxLines = 400;
const maxTestLines = 600;
const maxEntries = 25;
const sources = [
  'core/src',
  'server/src',
  'server/test',
  'web/app',
  'web/test',
  'web/i18n',
  'cli/src',
  'cli/test',
  'agent/src',
  'agent/test',
  'fixtures/src',
  'fixtures/test',
];
/** Lists that grow with the product and are read by name. */
const longLists = /^(core\/src\/i18n\/(en|ja)|server\/src\/db\/migrations)(\/|$)/;
/** Words of declared names that need knowledge of the project, each with what to write instead. */
const privateWords = new Map([
  ['facts', 'meta, fields or options'],
  ['deed', 'command or request'],
  ['deeds', 'commands or requests'],
  ['patience', 'a timeout with its unit'],
  ['most', 'max'],
  ['fewest', 'min'],
  ['twin', 'duplicate'],
  ['anew', 'again'],
  ['happening', 'event'],
]);

/** Packages whose top folders must not depend on one another in a cycle. */
const layered = ['core/src', 'server/src', 'web/app', 'cli/src', 'agent/src', 'fixtures/src'];
/** Folders too large to be one unit: their sub-folders count instead. */
const divided = new Set(['server/src/alerthub']);

const problems = [];
const files = [];
for (const folder of sources) visit(folder);
for (const base of layered) {
  const own = files.filter((file) => file.startsWith(`${base}/`) && !isTest(file));
  const cycle = findFolderCycle(own, (file) => unitOf(base, file));
  if (cycle) problems.push(cycle);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function visit(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  if (entries.length > maxEntries && !longLists.test(folder))
    problems.push(
      `${folder} has ${entries.length} entries; ${maxEntries} are the limit: group them in sub-folders`,
    );
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) visit(path);
    else if (/\.tsx?$/.test(entry.name)) checkFile(path);
  }
}

function isTest(path) {
  return /\.test\.tsx?$/.test(path);
}

/** The top folder of a file within its package, the sub-folder of a divided one, or the file itself. */
function unitOf(base, file) {
  const parts = file.slice(base.length + 1).split('/');
  const depth = divided.has(`${base}/${parts[0]}`) ? 2 : 1;
  return parts.slice(0, Math.max(1, Math.min(depth, parts.length - 1))).join('/');
}

function checkFile(path) {
  files.push(path);
  const text = readFileSync(join(root, path), 'utf8');
  const lines = text.split('\n').length - 1;
  const limit = isTest(path) ? maxTestLines : maxLines;
  if (lines > limit && !longLists.test(path))
    problems.push(`${path} has ${lines} lines; ${limit} are the limit: split it`);
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const check = (node) => {
    const { name } = node;
    if (name && ts.isIdentifier(name) && isDeclaration(node)) {
      for (const word of name.text
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .split(/[ _]/)) {
        const better = privateWords.get(word);
        if (!better) continue;
        const { line } = file.getLineAndCharacterOfPosition(name.getStart(file));
        problems.push(`${path}:${line + 1}: "${name.text}": write ${better}`);
      }
    }
    ts.forEachChild(node, check);
  };
  check(file);
}

function isDeclaration(node) {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodDeclaration(node)
  );
}
