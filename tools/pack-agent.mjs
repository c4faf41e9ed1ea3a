// Packs the agent as a package of its own: the bundle, the service unit, the container recipe and the guides.
// Usage: node tools/pack-agent.mjs [FOLDER]    (after "npm run build"; FOLDER gets the tarball, agent/build when absent)
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './run.mjs';

const target = resolve(process.argv[2] ?? join(root, 'agent', 'build'));
const dist = join(root, 'agent', 'dist');
if (!existsSync(join(dist, 'main.js'))) {
  process.stderr.write('agent/dist/main.js is missing: run "npm run build" first\n');
  process.exit(1);
}
const folder = join(target, 'package');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(dist, join(folder, 'dist'), { recursive: true });
cpSync(join(root, 'agent', 'packaging'), join(folder, 'packaging'), { recursive: true });
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
cpSync(join(root, 'docs', 'agent.md'), join(folder, 'README.md'));
cpSync(join(root, 'docs', 'ja', 'agent.md'), join(folder, 'README.ja.md'));

const { engines, version, license } = JSON.parse(readFileSync(join(root, 'agent', 'package.json'), 'utf8'));
const packed = {
  name: 'yagura-agent',
  version,
  description: 'The on-site agent of Yagura: scans the networks of a site and sends requests inside it.',
  license,
  type: 'module',
  engines,
  bin: { 'yagura-agent': 'dist/main.js' },
  files: ['dist', 'packaging', 'README.ja.md'],
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
const { status, stdout, stderr } = spawnSync(
  'npm',
  ['pack', folder, '--pack-destination', target, '--silent'],
  { encoding: 'utf8' },
);
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}
process.stdout.write(`${join(target, stdout.trim().split('\n').at(-1))}\n`);
