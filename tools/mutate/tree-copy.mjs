// A copy of the repository whose files can be changed while others work on the original.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../run.mjs';

export function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'yagura-mutate-'));
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  for (const file of listed.stdout.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const folder of ['.', 'core', 'server', 'web', 'cli', 'agent', 'fixtures']) {
    const modules = join(root, folder, 'node_modules');
    // Links instead of copies where the file system has them: nothing in there is changed.
    if (existsSync(modules) && spawnSync('cp', ['-al', modules, join(copy, folder)]).status !== 0)
      spawnSync('cp', ['-a', modules, join(copy, folder)]);
  }
  // Tests of whole programs start what `npm run build` made.
  for (const output of ['web/build', 'server/dist', 'cli/dist', 'agent/dist'])
    if (existsSync(join(root, output))) cpSync(join(root, output), join(copy, output), { recursive: true });
  return copy;
}
