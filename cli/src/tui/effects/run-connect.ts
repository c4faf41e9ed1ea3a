// Runs a session in the user's terminal as a command of its own.
import { spawnSync } from 'node:child_process';
import type { Terminal } from '../../terminal/terminal.ts';

/** `id` is that of a destination or an open session. Returns the exit code. */
export function runConnect({ profile, language, env }: Terminal, id: string): number {
  const selected = profile === undefined ? [] : ['--profile', profile];
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, process.argv[1]!, ...selected, '--lang', language, 'greac', 'connect', id],
    { stdio: 'inherit', env },
  );
  return status ?? 1;
}
