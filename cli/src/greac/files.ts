// `greac files`: lists, downloads and uploads files of a destination.
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { formatBytes } from '@yagura/core/format/bytes';
import { FileTransfers, TransferError } from '@yagura/core/greac/stream/file-transfers';
import { growHeapFurther } from '@yagura/core/greac/stream/heap-growth';
import { transferReasonText } from '@yagura/core/greac/stream/reason-texts';
import type { StreamStatus } from '@yagura/core/greac/stream/session-stream';
import { CommandError } from '../command-line/report-error.ts';
import { formatJson } from '../command-line/select-fields.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { cleanLine } from '../terminal/clean.ts';
import { Progress } from '../terminal/progress.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { downloadFile } from './download-file.ts';
import {
  createStream,
  failureOf,
  findOrOpenSession,
  leaveSession,
  type OpenedSession,
} from './open-stream.ts';

export interface FilesOptions {
  hostKey?: string;
  json?: boolean;
}

export async function listFiles(
  terminal: Terminal,
  target: string,
  path: string,
  options: FilesOptions,
): Promise<void> {
  const { items, isTruncated } = await withTransfers(terminal, target, options, (transfers) =>
    transfers.list(path, { signal: terminal.signal }),
  );
  if (options.json) terminal.out.write(formatJson(items, terminal.out.isTTY));
  else {
    for (const { name, kind, size } of items) {
      const shown = `${cleanLine(name)}${kind === 'directory' ? '/' : ''}`;
      terminal.out.write(`${shown}${kind === 'directory' || size === null ? '' : `\t${size}`}\n`);
    }
  }
  if (isTruncated) printMessage(terminal, terminal.t('files.truncated'));
}

/** An interrupted download is kept beside the file, and continued by the next one. */
export async function getFile(
  terminal: Terminal,
  target: string,
  path: string,
  output: string | undefined,
  options: FilesOptions,
): Promise<void> {
  const local = output ?? basename(path);
  if (local === '') throw new UsageError('cli.usage.missing-argument', { name: 'output' });
  if (await stat(local).catch(() => null)) throw new UsageError('cli.files.exists', { path: local });
  const progress = new Progress(terminal);
  await withTransfers(terminal, target, options, (transfers, { session, destinationId }) =>
    downloadFile(transfers, { origin: session.origin, destinationId, path }, local, {
      signal: terminal.signal,
      onProgress: ({ bytes, size }) => showProgress(progress, local, bytes, size),
    }),
  ).finally(() => progress.end());
  printMessage(terminal, terminal.t('cli.export.saved', { path: local }));
}

export async function putFile(
  terminal: Terminal,
  target: string,
  local: string,
  path: string | undefined,
  options: FilesOptions,
): Promise<void> {
  const file = await open(local).catch((error: Error) => {
    throw new UsageError('cli.files.unreadable', { path: local, reason: error });
  });
  const remote = path ?? `/${basename(local)}`;
  const progress = new Progress(terminal);
  try {
    const { size } = await file.stat();
    await withTransfers(terminal, target, options, (transfers) =>
      transfers.upload(
        remote,
        {
          size,
          async read(offset, length) {
            const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
            return buffer.subarray(0, bytesRead);
          },
        },
        {
          signal: terminal.signal,
          onProgress: ({ bytes }) => showProgress(progress, remote, bytes, size),
        },
      ),
    );
  } finally {
    progress.end();
    await file.close();
  }
  printMessage(terminal, terminal.t('cli.files.uploaded', { path: remote }));
}

function showProgress(progress: Progress, name: string, bytes: number, size: number | null): void {
  const total = size === null ? '' : ` / ${formatBytes(size)}`;
  progress.show(`${cleanLine(name)}  ${formatBytes(bytes)}${total}`, bytes, size ?? 0);
}

/** Watches the session, since files need no control of the terminal. */
async function withTransfers<T>(
  terminal: Terminal,
  target: string,
  options: FilesOptions,
  run: (transfers: FileTransfers, opened: OpenedSession) => Promise<T>,
): Promise<T> {
  growHeapFurther(setFlagsFromString);
  const opened = await findOrOpenSession(terminal, target);
  let failWith: (error: Error) => void = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    failWith = reject;
  });
  const onStatus = (status: StreamStatus) => {
    transfers.setConnected(status.state === 'connected');
    if (status.state === 'failed') failWith(failureOf(terminal, status));
    else if (status.state === 'ended') failWith(new CommandError('cli.connect.ended'));
  };
  const stream = createStream(terminal, opened, {
    mode: 'watch',
    onStatus,
    handlers: {
      onControl(message) {
        if (message.type === 'host-key') {
          const { fingerprint } = message;
          if (fingerprint === options.hostKey)
            stream.sendControl({ type: 'host-key-decision', fingerprint, accept: true });
          else failWith(new CommandError('cli.files.host-key', { fingerprint: cleanLine(fingerprint) }));
        } else transfers.onControl(message);
      },
      onTerminal: (_bytes, onParsed) => onParsed(),
      onFile: (transfer, content, onStored) => transfers.onFile(transfer, content, onStored),
    },
  });
  const transfers = new FileTransfers(stream);
  stream.start();
  try {
    return await Promise.race([run(transfers, opened), ended]);
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    throw new CommandError('cli.files.failed', { reason: terminal.t(transferReasonText(error.code)) });
  } finally {
    stream.leave();
    await leaveSession(opened);
  }
}
