// Keeps servers and commands that root runs from writing files which the server's own user cannot use.
import { statSync } from 'node:fs';
import { CommandRefused } from './command-refused.ts';

/** Throws CommandRefused when this process is root and the path belongs to another user. */
export function refuseForeignOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid } = statSync(path);
  if (uid === 0) return;
  throw new CommandRefused(
    `${path} belongs to user ID ${uid}. That user's server could not start with files that root writes there. Run this as that user, for example with "sudo -u '#${uid}'".`,
  );
}
