// Writes docs/coverage.md: each promise of the product with the export that keeps it. Fails when one has none, or one that no
// program uses; `--check` writes nothing and fails when the page is old as well.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import ts from 'typescript';
import { calls } from './coverage/api-calls.mjs';
import { entryFiles } from './coverage/entry-files.mjs';
import { reachableFrom } from './coverage/reachable-exports.mjs';
import { access, constants, errors, validation } from './coverage/rules-rows.mjs';
import { states } from './coverage/state-rows.mjs';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/coverage.md');
const problems = [];

/** Names that a TypeScript file exports. */
const exportsOf = (() => {
  const known = new Map();
  return (file) => {
    if (!known.has(file)) {
      const source = ts.createSourceFile(
        file,
        readFileSync(join(root, file), 'utf8'),
        ts.ScriptTarget.Latest,
      );
      const names = source.statements.flatMap((statement) => {
        if (!statement.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword))
          return [];
        if (ts.isVariableStatement(statement))
          return statement.declarationList.declarations.map((declaration) => declaration.name.text);
        return statement.name ? [statement.name.text] : [];
      });
      known.set(file, new Set(names));
    }
    return known.get(file);
  };
})();

const isReached = reachableFrom(root, await entryFiles());

/** A place as a link, or null when it is not there. */
function linkTo(place) {
  const [, file, mark, name] = /^([^#~]+)([#~])(.+)$/.exec(place);
  try {
    const there =
      mark === '#' ? exportsOf(file).has(name) : readFileSync(join(root, file), 'utf8').includes(name);
    return there ? `[\`${mark === '#' ? name : file.split('/').at(-1)}\`](../${file})` : null;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Whether a program uses the export, or for text anything of its file; a style sheet is no module and counts. */
function isUsed(place) {
  const [, file, mark, name] = /^([^#~]+)([#~])(.+)$/.exec(place);
  if (!/\.tsx?$/.test(file)) return true;
  return mark === '#' ? isReached(file, name) : isReached(file);
}

function table(title, rows) {
  const lines = rows.map(([promise, ...places]) => {
    const links = places.map((place) => {
      const link = linkTo(place);
      if (!link) problems.push(`${title}: "${promise}" names ${place}, which is not there`);
      else if (!isUsed(place)) problems.push(`${title}: "${promise}" names ${place}, which no program uses`);
      return link;
    });
    if (links.length === 0) problems.push(`${title}: "${promise}" has no place`);
    return `| ${promise} | ${links.filter(Boolean).join(', ')} |`;
  });
  return [`## ${title}`, '', '| Promise | Kept by |', '|---|---|', ...lines, ''].join('\n');
}

const bare = (path) => path.replace(/\{\w+\}/g, '{}');

/** "METHOD path" of every described call, with the descriptor that says it. */
async function described() {
  const load = (file) => tsImport(file, { parentURL: import.meta.url });
  const [{ resources }, { standaloneCalls }, { editMethods }] = await Promise.all([
    load('../core/src/all.ts'),
    load('../core/src/standalone-calls.ts'),
    load('../core/src/resource/define-resource.ts'),
  ]);
  const found = new Map();
  const add = (method, path, by) => found.set(`${method} ${bare(path)}`, by);
  for (const resource of resources) {
    const { path, itemPath, name, verbs } = resource;
    if (verbs.includes('list')) add('GET', path, `${name} list`);
    if (verbs.includes('create')) add('POST', path, `${name} create`);
    if (verbs.includes('show')) add('GET', itemPath, `${name} show`);
    if (verbs.includes('edit'))
      for (const method of editMethods(resource)) add(method, itemPath, `${name} edit`);
    if (verbs.includes('remove')) add('DELETE', itemPath, `${name} remove`);
    for (const [call, facts] of Object.entries(resource.calls))
      add(facts.method, (facts.on === 'item' ? itemPath : path) + facts.path, `${name} ${call}`);
  }
  for (const [name, call] of Object.entries(standaloneCalls))
    add(call.method, call.path, `standalone call ${name}`);
  return found;
}

const known = await described();
const sections = Object.entries(calls).map(([title, rows]) => {
  const lines = rows.map(([method, path]) => {
    // The kind of a bulk file is a parameter of its calls.
    const by =
      known.get(`${method} ${path}`) ??
      known.get(`${method} ${path.replace(/bulk-operations\/[\w-]+/, 'bulk-operations/{}')}`);
    if (!by) problems.push(`calls, ${title}: ${method} ${path} is described nowhere`);
    return `| ${method} | \`${path}\` | ${by ?? ''} |`;
  });
  return [`### ${title}`, '', '| Method | Path | Described by |', '|---|---|---|', ...lines, ''].join('\n');
});
/** Calls that are described but not promised, by app. */
function furtherCalls() {
  const promised = new Set(
    Object.values(calls).flatMap((rows) => rows.map(([method, path]) => `${method} ${path}`)),
  );
  const rows = [...known]
    .filter(([call]) => !promised.has(call) && !call.includes('/bulk-operations/'))
    .map(([call, by]) => {
      const [method, path] = call.split(' ');
      return `| ${method} | \`${path}\` | ${by} |`;
    });
  return ['### Further calls', '', '| Method | Path | Described by |', '|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

const text = `${[
  '# What is promised, and what keeps it',
  '',
  'Generated by `npm run coverage`, which fails when a promise has nothing that keeps it, or something that none of the four',
  'programs (server, command line, console, agent) uses. The gallery is a page of the console for developers.',
  '',
  table('States', states),
  table('Validation', validation),
  table('Roles and permissions', access),
  '## Calls',
  '',
  ...sections,
  furtherCalls(),
  table('Errors', errors),
  table('Constants', constants).trimEnd(),
].join('\n')}\n`;

if (process.argv.includes('--check')) {
  const now = (() => {
    try {
      return readFileSync(page, 'utf8');
    } catch {
      return '';
    }
  })();
  if (now !== text) problems.push('docs/coverage.md is old: run `npm run coverage`');
} else writeFileSync(page, text);
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
