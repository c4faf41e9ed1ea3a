// File transfers of a viewer: listing, download and upload, which go on where they were after the connection was lost.
import { streamLimits } from './frame.ts';
import type { SessionStream } from './session-stream.ts';
import { type GatewayControl, maxFileContent, type RemoteFile } from './viewer-protocol.ts';

/** `code` is what the gateway has replied. */
export class TransferError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`file transfer failed: ${code}`);
    this.name = 'TransferError';
    this.code = code;
  }
}

export interface FileList {
  items: RemoteFile[];
  isTruncated: boolean;
}

export interface TransferProgress {
  bytes: number;
  /** Total size; null until it is known. */
  size: number | null;
}

export interface TransferOptions {
  signal?: AbortSignal;
  onProgress?(progress: TransferProgress): void;
}

export interface FileSource {
  size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Stores content in its order. */
export type WriteContent = (content: Uint8Array) => void | Promise<void>;

type TransferMessage = Extract<GatewayControl, { transfer: number }>;

interface Transfer {
  /** Sends the request, or sends it again for what is missing. */
  request(number: number): void;
  onMessage(message: TransferMessage): void;
  onContent?(content: Uint8Array, onStored: () => void): void;
  reject(error: unknown): void;
}

type Sender = Pick<SessionStream, 'sendControl' | 'sendFile'>;

export class FileTransfers {
  private readonly active = new Map<number, Transfer>();
  private readonly stream: Sender;
  private lastNumber = 0;
  private isConnected = false;

  constructor(stream: Sender) {
    this.stream = stream;
  }

  /** To be called when the stream has connected or lost its connection. */
  setConnected(isConnected: boolean): void {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    if (!isConnected) return;
    const interrupted = [...this.active.values()];
    // New numbers tell what comes apart from what was on its way before.
    this.active.clear();
    for (const transfer of interrupted) this.begin(transfer);
  }

  /** To be called when the stream is over. */
  abort(code: string): void {
    const interrupted = [...this.active.values()];
    this.active.clear();
    for (const { reject } of interrupted) reject(new TransferError(code));
  }

  onControl(message: GatewayControl): void {
    if ('transfer' in message) this.active.get(message.transfer)?.onMessage(message);
  }

  onFile(number: number, content: Uint8Array, onStored: () => void): void {
    const transfer = this.active.get(number);
    if (transfer?.onContent) transfer.onContent(content, onStored);
    else onStored();
  }

  list(path: string, { signal }: TransferOptions = {}): Promise<FileList> {
    return this.run<FileList>(signal, (resolve) => {
      let list: FileList = { items: [], isTruncated: false };
      return {
        request: (transfer) => {
          list = { items: [], isTruncated: false };
          this.stream.sendControl({ type: 'list-files', transfer, path });
        },
        onMessage: (message) => {
          // A long list comes in several messages.
          if (message.type === 'files') {
            list.items.push(...message.items);
            list.isTruncated ||= message.isTruncated;
          } else if (message.type === 'transfer-done') resolve(list);
        },
      };
    });
  }

  /**
   * Writes the content from `offset` on. Resolves to the size of the file. Rejects with `SOURCE_CHANGED` if the
   * file is shorter than what was received before.
   */
  download(
    path: string,
    write: WriteContent,
    { signal, onProgress, offset = 0 }: TransferOptions & { offset?: number } = {},
  ): Promise<number> {
    let bytes = offset;
    let size: number | null = null;
    let writing: Promise<unknown> = Promise.resolve();
    return this.run<number>(signal, (resolve, reject) => {
      // What was received before the connection was lost may still be written.
      const finish = () => writing.then(() => resolve(bytes), reject);
      return {
        request: (transfer) =>
          void writing.then(
            () => this.stream.sendControl({ type: 'download', transfer, path, offset: bytes }),
            reject,
          ),
        onMessage: (message) => {
          if (message.type === 'transfer') {
            size = message.size;
            if (size < bytes) return reject(new TransferError('SOURCE_CHANGED'));
            onProgress?.({ bytes, size });
          } else if (message.type === 'transfer-done') void finish();
        },
        onContent: (content, onStored) => {
          writing = writing.then(async () => {
            if (content.length > 0) await write(content);
            bytes += content.length;
            onStored();
            onProgress?.({ bytes, size });
          });
          writing.catch(reject);
        },
      };
    });
  }

  upload(path: string, source: FileSource, { signal, onProgress }: TransferOptions = {}): Promise<void> {
    const { size } = source;
    let written = 0;
    let round = 0;
    let onWritten = () => {};
    return this.run<void>(signal, (resolve, reject) => {
      const sendFrom = async (transfer: number, offset: number) => {
        const ownRound = ++round;
        let sent = offset;
        while (sent < size) {
          if (sent - written >= streamLimits.credit) await new Promise<void>((wake) => (onWritten = wake));
          if (ownRound !== round || signal?.aborted) return;
          const content = await source.read(sent, Math.min(maxFileContent, size - sent));
          if (content.length === 0) throw new TransferError('SOURCE_CHANGED');
          await this.stream.sendFile(transfer, content);
          sent += content.length;
        }
        await this.stream.sendFile(transfer, new Uint8Array());
      };
      return {
        request: (transfer) => {
          round += 1;
          this.stream.sendControl({ type: 'upload', transfer, path, offset: written, size });
        },
        onMessage: (message) => {
          if (message.type === 'transfer') {
            written = message.offset;
            void sendFrom(message.transfer, message.offset).catch(reject);
          } else if (message.type === 'written') written = Math.max(written, message.bytes);
          else if (message.type === 'transfer-done') return resolve();
          onProgress?.({ bytes: written, size });
          onWritten();
        },
      };
    });
  }

  private run<T>(
    signal: AbortSignal | undefined,
    create: (
      resolve: (value: T) => void,
      reject: (error: unknown) => void,
    ) => Pick<Transfer, 'request' | 'onMessage' | 'onContent'>,
  ): Promise<T> {
    return new Promise((resolvePromise, rejectPromise) => {
      const settle = () => {
        signal?.removeEventListener('abort', onAbort);
        return this.remove(transfer);
      };
      const resolve = (value: T) => {
        settle();
        resolvePromise(value);
      };
      const reject = (error: unknown) => {
        const number = settle();
        if (number !== undefined && !(error instanceof TransferError))
          this.stream.sendControl({ type: 'cancel', transfer: number });
        rejectPromise(error);
      };
      const onAbort = () => reject(signal!.reason);
      const { onMessage, ...rest } = create(resolve, reject);
      const transfer: Transfer = {
        ...rest,
        reject,
        onMessage: (message) => {
          if (message.type === 'transfer-failed') reject(new TransferError(message.code));
          else onMessage(message);
        },
      };
      if (signal?.aborted) return rejectPromise(signal.reason);
      signal?.addEventListener('abort', onAbort);
      this.begin(transfer);
    });
  }

  private begin(transfer: Transfer): void {
    this.lastNumber += 1;
    this.active.set(this.lastNumber, transfer);
    if (this.isConnected) transfer.request(this.lastNumber);
  }

  /** Returns its number; undefined if it is no longer active. */
  private remove(transfer: Transfer): number | undefined {
    for (const [number, other] of this.active) {
      if (other !== transfer) continue;
      this.active.delete(number);
      return number;
    }
    return undefined;
  }
}
