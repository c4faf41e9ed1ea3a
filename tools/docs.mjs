// Code that the documents for contributors name exists: files by their path, identifiers by their occurrence in a source.
// Japanese pages have the sections, table rows and code of their English originals.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const documents = [
  'CONTRIBUTING.md',
  'docs/start.md',
  'docs/testing.md',
  ...['docs/how-to', 'docs/decisions'].flatMap((folder) =>
    readdirSync(folder).map((name) => `${folder}/${name}`),
  ),
];
/** Options of other programs. */
const foreign = new Set(['hideSkippedTests']);

const sources = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.js', '*.json'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(file));
const known = new Set(sources.flatMap((file) => readFileSync(file, 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? []));

const problems = [];
for (const document of documents) {
  const text = readFileSync(document, 'utf8');
  const code = [...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, span]) => block ?? span,
  );
  const names = code.flatMap((one) => one.match(/[A-Za-z_$][\w$]*/g) ?? []);
  const paths = code.flatMap(
    (one) => one.match(/\b(?:core|server|web|cli|fixtures|tools|docs)\/[\w./-]+\.(?:tsx?|mjs|md)\b/g) ?? [],
  );
  for (const name of new Set(names))
    if (/[a-z][A-Z]/.test(name) && !known.has(name) && !foreign.has(name))
      problems.push(`${document} names ${name}, which no source contains.`);
  for (const path of new Set(paths))
    if (!existsSync(path)) problems.push(`${document} names ${path}, which does not exist.`);
}

/** What a translation keeps: levels of headings, number of table rows, and code except for its placeholders. */
function structureOf(file) {
  const text = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const lines = text.split('\n');
  return {
    headings: lines.flatMap((line) => /^#+(?= )/.exec(line)?.[0] ?? []).join(' '),
    tableRows: lines.filter((line) => line.startsWith('|')).length,
    code: new Set(
      [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span).filter((one) => !/[<>]/.test(one)),
    ),
  };
}

for (const name of readdirSync('docs/ja').filter((one) => one !== 'README.md')) {
  const [original, translation] = [structureOf(`docs/${name}`), structureOf(`docs/ja/${name}`)];
  if (!readFileSync(`docs/${name}`, 'utf8').includes(`](ja/${name})`))
    problems.push(`docs/${name} has no link to its translation.`);
  for (const part of ['headings', 'tableRows'])
    if (original[part] !== translation[part])
      problems.push(
        `docs/ja/${name} has the ${part} ${translation[part]}, docs/${name} has ${original[part]}.`,
      );
  for (const span of original.code)
    if (!translation.code.has(span)) problems.push(`docs/ja/${name} lacks \`${span}\` of docs/${name}.`);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
