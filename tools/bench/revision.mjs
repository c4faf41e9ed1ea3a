// The server of another revision of this repository, built from a worktree of its own with the packages installed here.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { withDelayedSyncs } from './support/delay-syncs.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Checks out and builds it; gives its own `startServer`. Throws when there is no such revision or it does not build. */
export async function openRevision(name) {
  const commit = git('rev-parse', '--verify', `${name}^{commit}`);
  const parent = await mkdtemp(join(tmpdir(), 'yagura-bench-revision-'));
  const folder = join(parent, 'tree');
  const remove = async () => {
    await rm(parent, { recursive: true, force: true });
    git('worktree', 'prune');
  };
  try {
    git('worktree', 'add', '--quiet', '--detach', folder, commit);
    for (const part of ['node_modules', 'server/node_modules', 'fixtures/node_modules'])
      await symlink(join(root, part), join(folder, part), 'dir').catch((error) => {
        if (error.code !== 'ENOENT') throw error;
      });
    execFileSync(process.execPath, ['build.mjs'], { cwd: join(folder, 'server'), stdio: 'inherit' });
    // Revisions before 2026-11-22 have the testbed in a folder of another name.
    const testbed = ['fixtures/src/testbed/server-process.ts', 'fixtures/src/lab/server.ts']
      .map((file) => join(folder, file))
      .find((file) => existsSync(file));
    const { startServer } = await tsImport(testbed, import.meta.url);
    return { commit: commit.slice(0, 7), startServer: withDelayedSyncs(startServer), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
