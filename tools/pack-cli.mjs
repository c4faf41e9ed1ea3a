// Packs the command line as a package of its own: the bundle, its manual pages and licences, nothing to install beside it.
// Usage: node tools/pack-cli.mjs [FOLDER]    (after "npm run build"; FOLDER gets the tarball, cli/build when absent)
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from './run.mjs';

const target = resolve(process.argv[2] ?? join(root, 'cli', 'build'));
const dist = join(root, 'cli', 'dist');
if (!existsSync(join(dist, 'main.js'))) {
  process.stderr.write('cli/dist/main.js is missing: run "npm run build" first\n');
  process.exit(1);
}
const folder = join(target, 'package');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(dist, join(folder, 'dist'), { recursive: true });
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
cpSync(join(root, 'docs', 'configuration-files.md'), join(folder, 'docs', 'configuration-files.md'));

const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { engines, version } = JSON.parse(readFileSync(join(root, 'cli', 'package.json'), 'utf8'));
const { tsImport } = await import('tsx/esm/api');
const { writePages } = await tsImport('../cli/src/reference/write-pages.ts', import.meta.url);
// The date of the bundle, so that the same bundle gives the same pages.
const date = statSync(join(dist, 'main.js')).mtime.toISOString().slice(0, 10);
const pages = await writePages(join(folder, 'man'), date);

const packed = {
  name: about.name,
  version,
  description: about.description,
  license: about.license,
  type: 'module',
  engines,
  bin: { yagura: 'dist/main.js' },
  man: pages.map((page) => relative(folder, page)),
  files: ['dist', 'man', 'docs'],
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
writeFileSync(
  join(folder, 'README.md'),
  `# ${about.name}\n\n${about.description}\n\n    npm install --global ${about.name}-${version}.tgz\n    yagura login URL\n    yagura --help\n`,
);
const { status, stdout, stderr } = spawnSync(
  'npm',
  ['pack', folder, '--pack-destination', target, '--silent'],
  {
    encoding: 'utf8',
  },
);
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}
process.stdout.write(`${join(target, stdout.trim().split('\n').at(-1))}\n`);
