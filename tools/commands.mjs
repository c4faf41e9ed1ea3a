// Writes docs/commands: every command in both languages, from the table that runs them. `--check` fails when a page is old.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tsImport } from 'tsx/esm/api';

const folder = join(import.meta.dirname, '..', 'docs', 'commands');
const { documentationPages } = await tsImport('../cli/src/reference/write-pages.ts', import.meta.url);
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

mkdirSync(folder, { recursive: true });
const there = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.md'));
const gone = there.filter((path) => !pages.has(path));
const old = [...pages].filter(([path, text]) => textOf(path) !== text).map(([path]) => path);
if (check) {
  for (const path of [...gone, ...old])
    console.error(`docs/commands/${path} is old: run \`npm run commands\``);
  process.exit(gone.length + old.length > 0 ? 1 : 0);
}
for (const path of gone) rmSync(join(folder, path));
for (const path of old) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), pages.get(path));
}
