// Listings, downloads and uploads of the viewers of one session.
import { streamLimits } from '@yagura/core/greac/stream/frame';
import {
  decodeFileBody,
  type GatewayControl,
  maxFileContent,
  maxViewerBody,
  type RemoteFile,
  type ViewerControl,
} from '@yagura/core/greac/stream/viewer-protocol';
import type { Viewer } from '../viewer.ts';
import { FileError, fileCodeOf } from './file-error.ts';
import type { RemoteFiles, Upload } from './remote-files.ts';

export interface FileTransfersDeps {
  /** Connects when it is first called, and again after the connection was lost. */
  open(): Promise<RemoteFiles>;
  close(): void;
}

type FileControl = Extract<ViewerControl, { transfer: number }>;

interface Transfer {
  signal: AbortSignal;
  stop(): void;
  upload?: UploadState;
}

interface UploadState {
  upload: Upload;
  size: number;
  /** Position of the next byte. */
  position: number;
  written: number;
  confirmed: number;
  done(): void;
  fail(error: unknown): void;
}

const maxTransfers = 4;
const confirmStep = streamLimits.credit / 4;

export class FileTransfers {
  private readonly deps: FileTransfersDeps;
  private readonly transfers = new Map<Viewer, Map<number, Transfer>>();
  private readonly waiting = new Map<Viewer, Set<() => void>>();

  constructor(deps: FileTransfersDeps) {
    this.deps = deps;
  }

  async list(path: string): Promise<{ items: RemoteFile[]; isTruncated: boolean }> {
    return (await this.deps.open()).list(path);
  }

  control(viewer: Viewer, message: FileControl): void {
    const own = this.transfers.get(viewer) ?? new Map<number, Transfer>();
    this.transfers.set(viewer, own);
    const { transfer: id } = message;
    if (message.type === 'cancel') {
      own.get(id)?.stop();
      return;
    }
    if (own.has(id) || own.size >= maxTransfers) {
      const code = own.has(id) ? 'PROTOCOL' : 'TOO_MANY';
      viewer.sendControl({ type: 'transfer-failed', transfer: id, code });
      return;
    }
    const controller = new AbortController();
    const transfer: Transfer = {
      signal: controller.signal,
      stop: () => controller.abort(new FileError('CANCELED')),
    };
    own.set(id, transfer);
    void this.run(viewer, message, transfer)
      .then(
        (): GatewayControl => ({ type: 'transfer-done', transfer: id }),
        (error): GatewayControl => ({ type: 'transfer-failed', transfer: id, code: fileCodeOf(error) }),
      )
      .then((answer) => {
        own.delete(id);
        viewer.sendControl(answer);
      });
  }

  /** The body of a message with content of an upload. */
  received(viewer: Viewer, body: Uint8Array): void {
    const message = decodeFileBody(body);
    if (!message) throw new FileError('PROTOCOL');
    const { transfer: id, content } = message;
    const state = this.transfers.get(viewer)?.get(id)?.upload;
    // What a failed transfer still sends is forgotten.
    if (state) void this.write(viewer, id, state, content.slice());
  }

  drained(viewer: Viewer): void {
    const waiting = this.waiting.get(viewer);
    this.waiting.delete(viewer);
    for (const resume of waiting ?? []) resume();
  }

  /** The viewer's stream is over. */
  remove(viewer: Viewer): void {
    for (const transfer of this.transfers.get(viewer)?.values() ?? []) transfer.stop();
    this.transfers.delete(viewer);
    this.drained(viewer);
  }

  close(): void {
    for (const viewer of [...this.transfers.keys()]) this.remove(viewer);
    this.deps.close();
  }

  private async run(viewer: Viewer, message: FileControl, transfer: Transfer): Promise<void> {
    // An upload changes the host, as typing does.
    if (message.type === 'upload' && viewer.mode !== 'control') throw new FileError('NOT_IN_CONTROL');
    const files = await this.deps.open();
    transfer.signal.throwIfAborted();
    if (message.type === 'list-files') await sendListing(viewer, message, await files.list(message.path));
    else if (message.type === 'download') await this.download(viewer, message, files, transfer);
    else if (message.type === 'upload') await this.upload(viewer, message, files, transfer);
  }

  private async download(
    viewer: Viewer,
    { path, offset, transfer: id }: Extract<FileControl, { type: 'download' }>,
    files: RemoteFiles,
    { signal }: Transfer,
  ): Promise<void> {
    const download = await files.openDownload(path, offset);
    try {
      viewer.sendControl({ type: 'transfer', transfer: id, offset: download.offset, size: download.size });
      for await (const bytes of download.content)
        for (let start = 0; start < bytes.length; start += maxFileContent) {
          while (!viewer.hasFileRoom && !signal.aborted) await this.untilDrained(viewer);
          signal.throwIfAborted();
          viewer.sendFile(id, bytes.subarray(start, start + maxFileContent));
        }
      while (!viewer.isFileSent && !signal.aborted) await this.untilDrained(viewer);
      signal.throwIfAborted();
    } finally {
      await download.close();
    }
  }

  private async upload(
    viewer: Viewer,
    { path, offset, size, transfer: id }: Extract<FileControl, { type: 'upload' }>,
    files: RemoteFiles,
    transfer: Transfer,
  ): Promise<void> {
    const upload = await files.openUpload(path, offset, size);
    try {
      const complete = new Promise<void>((resolve, reject) => {
        const from = upload.offset;
        const positions = { position: from, written: from, confirmed: from };
        transfer.upload = { upload, size, ...positions, done: resolve, fail: reject };
        transfer.signal.addEventListener('abort', () => reject(transfer.signal.reason), { once: true });
        if (from === size) resolve();
      });
      viewer.sendControl({ type: 'transfer', transfer: id, offset: upload.offset, size });
      transfer.signal.throwIfAborted();
      await complete;
      await upload.finish();
    } catch (error) {
      await upload.close();
      throw error;
    }
  }

  private async write(viewer: Viewer, id: number, state: UploadState, bytes: Uint8Array): Promise<void> {
    const { position } = state;
    state.position += bytes.length;
    const isTooMuch =
      state.position > state.size || state.position - state.confirmed > 2 * streamLimits.credit;
    if (isTooMuch) return state.fail(new FileError('PROTOCOL'));
    try {
      await state.upload.write(position, bytes);
    } catch (error) {
      return state.fail(error);
    }
    state.written += bytes.length;
    if (state.written - state.confirmed >= confirmStep || state.written === state.size) {
      state.confirmed = state.written;
      viewer.sendControl({ type: 'written', transfer: id, bytes: state.written });
    }
    if (state.written === state.size) state.done();
  }

  private untilDrained(viewer: Viewer): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.waiting.get(viewer) ?? new Set();
      waiting.add(resolve);
      this.waiting.set(viewer, waiting);
    });
  }
}

/** In as many messages as needed, each small enough for one record. */
async function sendListing(
  viewer: Viewer,
  { transfer }: Extract<FileControl, { type: 'list-files' }>,
  { items, isTruncated }: { items: RemoteFile[]; isTruncated: boolean },
): Promise<void> {
  for (const page of pagesOf(items, maxViewerBody - 200))
    viewer.sendControl({ type: 'files', transfer, items: page, isTruncated });
}

/** Splits a list so that the JSON text of each piece has at most `limit` bytes; there is always a piece. */
export function pagesOf(items: readonly RemoteFile[], limit: number): RemoteFile[][] {
  const pages: RemoteFile[][] = [[]];
  let length = 0;
  for (const item of items) {
    const bytes = new TextEncoder().encode(JSON.stringify(item)).length + 1;
    if (length + bytes > limit && pages.at(-1)!.length > 0) {
      pages.push([]);
      length = 0;
    }
    pages.at(-1)!.push(item);
    length += bytes;
  }
  return pages;
}
