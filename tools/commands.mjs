// Writes docs/commands: every command in both languages, from the table that runs them; and the list of kinds in
// configuration-files.md of both languages. `--check` fails when a page is old.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tsImport } from 'tsx/esm/api';

const folder = join(import.meta.dirname, '..', 'docs', 'commands');
const kindsPages = [
  { path: 'docs/configuration-files.md', separator: ', ', fullStop: '.' },
  { path: 'docs/ja/configuration-files.md', separator: '、', fullStop: '。' },
];
const { documentationPages } = await tsImport('../cli/src/reference/write-pages.ts', import.meta.url);
const { planKinds } = await tsImport('../core/src/plan/plan-kinds.ts', import.meta.url);
const pages = await documentationPages();
const check = process.argv.includes('--check');

function textOf(path) {
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The page about configuration files with the kinds of today. */
function withKinds(text, { separator, fullStop }) {
  const names = planKinds.map(({ plural }) => `\`${plural}\``).sort();
  return text.replace(
    /(<!-- kinds: .*? -->\n).*?(<!-- end of kinds -->)/s,
    (_all, begin, end) => `${begin}${names.join(separator)}${fullStop}\n${end}`,
  );
}

const oldKinds = kindsPages.flatMap((page) => {
  const file = join(folder, '..', '..', page.path);
  const was = readFileSync(file, 'utf8');
  const text = withKinds(was, page);
  return text === was ? [] : [{ path: page.path, file, text }];
});

mkdirSync(folder, { recursive: true });
const there = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.md'));
const gone = there.filter((path) => !pages.has(path));
const old = [...pages].filter(([path, text]) => textOf(path) !== text).map(([path]) => path);
if (check) {
  for (const path of [...gone, ...old])
    console.error(`docs/commands/${path} is old: run \`npm run commands\``);
  for (const { path } of oldKinds) console.error(`${path} is old: run \`npm run commands\``);
  process.exit(gone.length + old.length + oldKinds.length > 0 ? 1 : 0);
}
for (const path of gone) rmSync(join(folder, path));
for (const path of old) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), pages.get(path));
}
for (const { file, text } of oldKinds) writeFileSync(file, text);
