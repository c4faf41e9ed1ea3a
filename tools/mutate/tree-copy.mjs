// A copy of the repository whose files can be changed while others work on the original.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../run.mjs';

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Copies what `npm ci` installed. A package that is missing would only show as tests that fail without a mutation. */
function copyModules(modules, folder) {
  // Links instead of copies where the file system has them: nothing in there is changed.
  if (spawnSync('cp', ['-al', modules, folder]).status === 0) return;
  const copied = spawnSync('cp', ['-a', modules, folder], { encoding: 'utf8' });
  if (copied.status !== 0)
    throw new Error(`cannot copy ${modules}: ${copied.stderr.trim().split('\n').at(-1)}`);
}

function fillCopy(copy) {
  for (const folder of ['.', ...workspaces]) {
    const modules = join(root, folder, 'node_modules');
    mkdirSync(join(copy, folder), { recursive: true });
    if (existsSync(modules)) copyModules(modules, join(copy, folder));
  }
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  for (const file of listed.stdout.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  // Tests of whole programs start what `npm run build` made.
  for (const output of ['web/build', 'server/dist', 'cli/dist', 'agent/dist'])
    if (existsSync(join(root, output))) cpSync(join(root, output), join(copy, output), { recursive: true });
}

export function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'yagura-mutate-'));
  try {
    fillCopy(copy);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw error;
  }
  return copy;
}
