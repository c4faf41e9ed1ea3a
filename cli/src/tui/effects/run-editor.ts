// A text in the person's own editor, in a file that only they can read.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../../command-line/report-error.ts';

/** The text as the editor left it. Throws when no editor runs, or it says that it failed. */
export function runEditor(text: string, env: NodeJS.ProcessEnv): string {
  const editor = env.VISUAL || env.EDITOR || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'yagura-edit-'));
  const file = join(folder, 'item.yaml');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    // The variable may have flags, as in `code --wait`; the shell takes it apart, the file's name goes as it is.
    const { status, error } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
      stdio: 'inherit',
    });
    if (error || status !== 0) throw new CommandError('tui.editor.failed', { editor });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
