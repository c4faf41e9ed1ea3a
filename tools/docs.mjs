// Code that the documents for contributors name exists: files by their path, identifiers by their occurrence in a source.
// Japanese pages have the sections, lists, tables, code and links of their English originals. Links lead somewhere, and the lists of
// pages are complete.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { compareTranslation } from './docs/compare-translation.mjs';
import { parsePage } from './docs/page.mjs';

const documents = [
  'CONTRIBUTING.md',
  'docs/start.md',
  'docs/ja/start.md',
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

const readPage = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
const pagesIn = (folder) =>
  readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
for (const name of pagesIn('docs/ja')) problems.push(...compareTranslation(name, readPage));

const listed = ['docs', 'docs/how-to', 'docs/decisions', 'docs/ja'].flatMap((folder) =>
  pagesIn(folder).map((name) => ({ list: 'docs/README.md', page: `${folder}/${name}` })),
);
const japanese = pagesIn('docs/ja').map((name) => ({ list: 'docs/ja/README.md', page: `docs/ja/${name}` }));
for (const { list, page } of [...listed, ...japanese])
  if (!parsePage(readPage(list)).links.includes(relative(dirname(list), page)))
    problems.push(`${list} has no link to ${page}.`);

for (const page of [
  ...new Set([...listed, ...japanese].flatMap((one) => [one.list, one.page])),
  'README.md',
]) {
  for (const link of parsePage(readPage(page)).links.filter((one) => !/^\w+:/.test(one))) {
    const [file, fragment] = link.split('#');
    const target = file === '' ? page : join(dirname(page), file);
    if (!existsSync(target)) problems.push(`${page} links to ${link}, which does not exist.`);
    else if (fragment && !parsePage(readPage(target)).sections.some(({ slug }) => slug === fragment))
      problems.push(`${page} links to ${link}, but no heading there has this fragment.`);
  }
}

for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
