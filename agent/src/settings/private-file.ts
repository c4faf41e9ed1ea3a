// Reads files that hold secrets or the policy of the site: only if nobody else can read or change them.
import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import { AgentError } from '../agent-error.ts';
import { reasonOf } from '../log.ts';

const maxBytes = 1024 * 1024;

/** Returns the text of a regular file that only its owner can read; the owner is this user or root. */
export async function readPrivateFile(path: string): Promise<string> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => {
    throw unreadable(path, error);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw fault('agent.file.not-regular', path);
    refuseOwner(path, stats);
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) throw fault('agent.file.open', path);
    if (stats.size > maxBytes) throw new AgentError('agent.file.large', { file: path, maxBytes });
    const bytes = await file.readFile();
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw fault('agent.file.encoding', path);
    }
  } finally {
    await file.close();
  }
}

/** Refuses a folder in which others could place files. */
export async function checkPrivateFolder(path: string): Promise<void> {
  const stats = await stat(path).catch((error) => {
    throw unreadable(path, error);
  });
  if (!stats.isDirectory()) throw fault('agent.file.not-folder', path);
  refuseOwner(path, stats);
  if (process.platform !== 'win32' && (stats.mode & 0o022) !== 0) throw fault('agent.file.writable', path);
}

function refuseOwner(path: string, { uid }: Stats): void {
  const own = process.geteuid?.();
  if (own !== undefined && uid !== own && uid !== 0) throw fault('agent.file.owner', path);
}

function fault(messageKey: MessageKey, file: string): AgentError {
  return new AgentError(messageKey, { file });
}

function unreadable(file: string, error: unknown): AgentError {
  return new AgentError('agent.file.unreadable', { file, reason: reasonOf(error) });
}
