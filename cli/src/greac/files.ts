// `greac files`: lists, downloads and uploads files of a destination.
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { formatBytes } from '@yagura/core/format/bytes';
import { FileTransfers, TransferError } from '@yagura/core/greac/stream/file-transfers';
import { growHeapFurther } from '@yagura/core/greac/stream/heap-growth';
import { interruptionText, transferReasonText } from '@yagura/core/greac/stream/reason-texts';
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
  endSession,
  failureOf,
  findOrOpenSession,
  leaveSession,
  type OpenedSession,
  reconnectingText,
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
  const { items, isTruncated } = await withTransfers(terminal, target, options, (transfers, signal) =>
    transfers.list(path, { signal }),
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
  await withTransfers(terminal, target, options, (transfers, signal, { session, destinationId }) =>
    downloadFile(transfers, { origin: session.origin, destinationId, path }, local, {
      signal,
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
    const stats = await file.stat();
    // A pipe would be uploaded as an empty file.
    if (!stats.isFile()) throw new UsageError('cli.files.not-a-file', { path: local });
    const { size } = stats;
    const source = {
      size,
      async read(offset: number, length: number) {
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      },
    };
    const upload = (transfers: FileTransfers, signal: AbortSignal) =>
      transfers.upload(remote, source, {
        signal,
        onProgress: ({ bytes }) => showProgress(progress, remote, bytes, size),
      });
    await withTransfers(terminal, target, { ...options, uploads: true }, upload);
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

/**
 * Only who controls a session may upload, and is asked about its host key. To read files of a session that others
 * use, it is watched.
 */
async function withTransfers<T>(
  terminal: Terminal,
  target: string,
  options: FilesOptions & { uploads?: boolean },
  run: (transfers: FileTransfers, signal: AbortSignal, opened: OpenedSession) => Promise<T>,
): Promise<T> {
  growHeapFurther(setFlagsFromString);
  const opened = await findOrOpenSession(terminal, target);
  const needsControl = !opened.isJoined || options.uploads || options.hostKey !== undefined;
  let isShared = false;
  /** Another user may have joined meanwhile. */
  let isReconnecting = false;
  let wasConnected = false;
  const ended = new AbortController();
  const failWith = (error: Error) => ended.abort(error);
  const onStatus = (status: StreamStatus) => {
    if (status.state !== 'left') isReconnecting = status.state === 'reconnecting';
    wasConnected ||= status.state === 'connected';
    transfers.setConnected(status.state === 'connected');
    // A script would wait for a gateway that is not there as long as that is switched off.
    if (status.state === 'reconnecting' && status.code === 'GATEWAY_AWAY' && !wasConnected)
      failWith(failureOf(terminal, { state: 'failed', code: status.code, params: {} }));
    else if (status.state === 'reconnecting' && status.attempt === 1)
      printMessage(terminal, reconnectingText(terminal, status));
    if (status.state === 'failed') failWith(failureOf(terminal, status));
    else if (status.state === 'ended')
      failWith(new CommandError(interruptionText(status.reason) ?? 'cli.connect.ended'));
  };
  const stream = createStream(terminal, opened, {
    mode: needsControl ? 'control' : 'watch',
    onStatus,
    handlers: {
      onControl(message) {
        if (message.type === 'viewers') isShared = message.viewers.length > 1;
        else if (message.type === 'host-key') {
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
    return await run(transfers, AbortSignal.any([terminal.signal, ended.signal]), opened);
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    throw new CommandError('cli.files.failed', { reason: terminal.t(transferReasonText(error.code)) });
  } finally {
    stream.leave();
    // An empty session stays open for minutes, and a gateway has only so many: of a script that copies many files, it
    // would refuse some.
    const mayBeUsed = opened.isJoined || isShared || (isReconnecting && wasConnected);
    await (mayBeUsed ? leaveSession(opened) : endSession(opened));
  }
}
