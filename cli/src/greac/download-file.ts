// Downloads one file of a destination; what an interrupted download has stored is continued by the next one.
import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import {
  type FileTransfers,
  TransferError,
  type TransferOptions,
} from '@yagura/core/greac/stream/file-transfers';
import { CommandError } from '../command-line/report-error.ts';

export interface RemoteSource {
  origin: string;
  destinationId: string;
  path: string;
}

export async function downloadFile(
  transfers: Pick<FileTransfers, 'download'>,
  source: RemoteSource,
  local: string,
  options: TransferOptions,
): Promise<void> {
  const partial = partialPath(source, local);
  const file = await open(partial, 'a', 0o600);
  try {
    const { size: offset } = await file.stat();
    const write = async (content: Uint8Array) => {
      await file.appendFile(content).catch((error: Error) => {
        // Which file it was is not in errors of writing, such as that of a full disk.
        throw Object.assign(error, { path: partial });
      });
    };
    await transfers.download(source.path, write, {
      ...options,
      offset,
    });
  } catch (error) {
    // Of a file that is not there, or may not be read, nothing came: there is nothing to continue.
    if ((await file.stat()).size === 0) await rm(partial, { force: true });
    if (!(error instanceof TransferError) || error.code !== 'SOURCE_CHANGED') throw error;
    throw new CommandError('cli.files.shorter', { partial });
  } finally {
    await file.close();
  }
  await rename(partial, local);
}

/** The name tells remote files apart that are saved under the same name. */
function partialPath({ origin, destinationId, path }: RemoteSource, local: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([origin, destinationId, path]))
    .digest('hex');
  return `${local}.${digest.slice(0, 12)}.yagura-part`;
}
