// Encrypted log parts in the state folder until the server has stored them. Nothing here is readable at the site.
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { streamLimits } from '@yagura/core/greac/stream/frame';
import {
  gatewayMessage,
  type LogEnd,
  type LogSeal,
  logSeal,
} from '@yagura/core/greac/stream/gateway-protocol';
import { z } from 'zod';
import { createFolder } from '../../create-folder.ts';
import { replaceFile } from '../../replace-file.ts';

/** What identifies a part. */
const partMeta = z.object({
  sessionId: logSeal.shape.sessionId,
  keyId: z.uuid(),
  kind: logSeal.shape.kind,
  part: logSeal.shape.part,
  startedAt: logSeal.shape.startedAt,
});
export type PartMeta = z.output<typeof partMeta>;

const sealedMessage = gatewayMessage.options.find((option) => option.shape.type.value === 'sealed')!;
export type SealedMessage = LogSeal & { type: 'sealed'; signature: string };

const endMessage = gatewayMessage.options.find((option) => option.shape.type.value === 'log-end')!;
export type LogEndMessage = LogEnd & { type: 'log-end'; signature: string };

export interface SpooledPart {
  meta: PartMeta;
  /** Numbers of the complete chunks that are not stored yet, in order. */
  chunks: number[];
  /** Its signed end; absent while it is written, and for good if the process was interrupted. */
  sealed?: SealedMessage;
  /** Nothing is added any more. */
  isClosed: boolean;
}

/** The signed end of a log. */
export interface SpooledEnd {
  end: LogEndMessage;
}

export type Spooled = SpooledPart | SpooledEnd;

const metaFile = 'part.json';
const sealFile = 'sealed.json';
const endFile = 'end.json';
const chunkPattern = /^(\d{7})\.age$/;
/** Complete chunks that are not on the disk yet: 2 MiB. */
const maxCompleting = 8;

export class LogSpool {
  private readonly root: string;

  constructor(stateFolder: string) {
    this.root = join(stateFolder, 'session-logs');
  }

  /** Parts of an earlier run, as far as they were written, and ends of logs. */
  async load(): Promise<Spooled[]> {
    createFolder(this.root);
    const parts: SpooledPart[] = [];
    const ends: SpooledEnd[] = [];
    for (const session of await readdir(this.root)) {
      // Not written by this program, such as what a file browser leaves.
      if (!logSeal.shape.sessionId.safeParse(session).success) continue;
      for (const name of await readdir(join(this.root, session))) {
        const folder = join(this.root, session, name);
        const end = (await readJson(join(folder, endFile), endMessage)) as LogEndMessage | undefined;
        if (end) {
          ends.push({ end });
          continue;
        }
        const meta = await readJson(join(folder, metaFile), partMeta);
        if (!meta) {
          await rm(folder, { recursive: true, force: true });
          continue;
        }
        const sealed = (await readJson(join(folder, sealFile), sealedMessage)) as SealedMessage | undefined;
        const chunks = await loadChunks(folder);
        parts.push({ meta, chunks, isClosed: true, ...(sealed && { sealed }) });
      }
      await rmdir(join(this.root, session)).catch(() => undefined);
    }
    parts.sort((a, b) => a.meta.startedAt.localeCompare(b.meta.startedAt));
    return [...parts, ...ends];
  }

  /** Each chunk is reported when it is on the disk, in their order. */
  async create(meta: PartMeta, onComplete: (chunk: number) => void): Promise<PartFiles> {
    const folder = this.folderOf(meta);
    createFolder(folder);
    await replaceFile(join(folder, metaFile), JSON.stringify(meta));
    return new PartFiles(folder, onComplete);
  }

  async saveSeal(meta: PartMeta, sealed: SealedMessage): Promise<void> {
    await replaceFile(join(this.folderOf(meta), sealFile), JSON.stringify(sealed));
  }

  async saveEnd(end: LogEndMessage): Promise<void> {
    const folder = this.endFolderOf(end);
    createFolder(folder);
    await replaceFile(join(folder, endFile), JSON.stringify(end));
  }

  readChunk(meta: PartMeta, chunk: number): Promise<Buffer> {
    return readFile(join(this.folderOf(meta), chunkName(chunk)));
  }

  async deleteChunk(meta: PartMeta, chunk: number): Promise<void> {
    await rm(join(this.folderOf(meta), chunkName(chunk)), { force: true });
  }

  deletePart(meta: PartMeta): Promise<void> {
    return this.delete(meta.sessionId, this.folderOf(meta));
  }

  deleteEnd(end: LogEndMessage): Promise<void> {
    return this.delete(end.sessionId, this.endFolderOf(end));
  }

  private async delete(sessionId: string, folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
    await rmdir(join(this.root, sessionId)).catch(() => undefined);
  }

  private folderOf({ sessionId, kind, part }: PartMeta): string {
    return join(this.root, sessionId, `${kind}-${part}`);
  }

  private endFolderOf({ sessionId, kind }: LogEndMessage): string {
    return join(this.root, sessionId, `${kind}-end`);
  }
}

/**
 * The chunk files of a part that is being written. Complete chunks are written and flushed several at a time, since each
 * step waits for its turn in a thread that is busy with what follows.
 */
export class PartFiles {
  chunks = 0;
  bytes = 0;
  private readonly folder: string;
  private readonly onComplete: (chunk: number) => void;
  private readonly hash: Hash = createHash('sha256');
  /** The chunk that is not complete. */
  private current: ChunkFile | undefined;
  /** Complete chunks that are not on the disk yet, in their order. */
  private readonly completing: Promise<void>[] = [];
  /** The latest of them, which the next waits for: after one that failed, none is reported. */
  private latest: Promise<void> | undefined;

  constructor(folder: string, onComplete: (chunk: number) => void) {
    this.folder = folder;
    this.onComplete = onComplete;
  }

  /** Resolves when the bytes are written, but for a few complete chunks. Rejects also if an earlier one failed. */
  async append(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0; ) {
      this.current ??= new ChunkFile(join(this.folder, chunkName(this.chunks++)));
      const piece = rest.subarray(0, streamLimits.logChunk - this.current.size);
      this.current.append(piece);
      this.hash.update(piece);
      this.bytes += piece.length;
      rest = rest.subarray(piece.length);
      if (this.current.size === streamLimits.logChunk) this.complete();
      while (this.completing.length >= maxCompleting) await this.completing.shift();
    }
    await this.current?.written;
  }

  /** Completes the last chunk; resolves when all are on the disk. */
  async end(): Promise<void> {
    this.complete();
    while (this.completing.length > 0) await this.completing.shift();
  }

  /** SHA-256 of everything in base64url. */
  digest(): string {
    return this.hash.copy().digest('base64url');
  }

  async abandon(): Promise<void> {
    await this.current?.close().catch(() => undefined);
    this.current = undefined;
  }

  private complete(): void {
    if (!this.current) return;
    const completed = this.flush(this.current, this.chunks - 1, this.latest);
    // Thrown where it is waited for.
    completed.catch(() => undefined);
    this.completing.push(completed);
    this.latest = completed;
    this.current = undefined;
  }

  private async flush(file: ChunkFile, chunk: number, previous: Promise<void> | undefined): Promise<void> {
    const failure = await file.flush();
    await previous;
    // What could be written of it counts, and nothing behind it.
    this.onComplete(chunk);
    if (failure) throw failure.error;
  }
}

/** One chunk, whose pieces are written one after the other. */
class ChunkFile {
  size = 0;
  private readonly opened: Promise<FileHandle>;
  private last: Promise<unknown>;

  constructor(path: string) {
    this.opened = open(path, 'wx', 0o600);
    this.last = this.opened;
    this.opened.catch(() => undefined);
  }

  /** Resolves when all pieces so far are written; rejects if one was not. */
  get written(): Promise<unknown> {
    return this.last;
  }

  append(piece: Uint8Array): void {
    this.size += piece.length;
    const { last } = this;
    this.last = (async () => {
      await last;
      await writeFully(await this.opened, piece);
    })();
    this.last.catch(() => undefined);
  }

  /** Flushes and closes the file. Resolves with why it is not complete, if it is not. */
  async flush(): Promise<{ error: unknown } | undefined> {
    const file = await this.opened;
    try {
      const failure = await this.last.then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      await file.sync();
      return failure;
    } finally {
      await file.close();
    }
  }

  async close(): Promise<void> {
    await this.last.catch(() => undefined);
    await (await this.opened).close();
  }
}

async function writeFully(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

/**
 * Numbers of the chunks of an earlier run, in order, up to the first that is not complete. Several are written at a time:
 * what a killed process wrote of those behind it cannot be decrypted, and is deleted.
 */
async function loadChunks(folder: string): Promise<number[]> {
  const found = (await readdir(folder)).flatMap((file) => chunkPattern.exec(file)?.[1] ?? []).map(Number);
  const chunks: number[] = [];
  let isCut = false;
  for (const chunk of found.sort((a, b) => a - b)) {
    const path = join(folder, chunkName(chunk));
    const { size } = await stat(path);
    const previous = chunks.at(-1);
    isCut ||= size === 0 || (previous !== undefined && chunk !== previous + 1);
    if (isCut) await rm(path);
    else chunks.push(chunk);
    isCut ||= size < streamLimits.logChunk;
  }
  return chunks;
}

function chunkName(chunk: number): string {
  return `${String(chunk).padStart(7, '0')}.age`;
}

async function readJson<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T> | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
