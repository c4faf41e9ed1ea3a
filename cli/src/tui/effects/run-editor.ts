// Opens a text in the user's editor, in a temporary file only the user can read.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../../command-line/report-error.ts';

/** Returns the edited text. Throws when no editor starts or it exits with an error. */
export function runEditor(text: string, env: NodeJS.ProcessEnv): string {
  const editor = env.VISUAL || env.EDITOR || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'yagura-edit-'));
  const file = join(folder, 'item.yaml');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    // The variable may contain flags, as in `code --wait`: the shell splits it, the file name is passed as an
    // argument.
    const { status, error } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
      stdio: 'inherit',
    });
    if (error || status !== 0) throw new CommandError('tui.editor.failed', { editor });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
