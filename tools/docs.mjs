// Code that the documents for contributors name exists: files by their path, identifiers by their occurrence in a source.
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
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
