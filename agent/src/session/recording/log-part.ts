// One part of a log: text in, encrypted chunks in the spool out, a signed end.
import { streamLimits } from '@yagura/core/greac/stream/frame';
import { type LogSeal, sealBytes } from '@yagura/core/greac/stream/gateway-protocol';
import { AgeEncryption } from './age-encryption.ts';
import type { LogSpool, PartFiles, PartMeta, SpooledPart } from './log-spool.ts';
import type { SigningKey } from './signing-key.ts';

export interface LogPartDeps {
  spool: LogSpool;
  signingKey: SigningKey;
  now(): number;
  /** The part has new chunks or its end. */
  onProgress(part: SpooledPart): void;
}

/** Text is written when there is enough for a chunk, else after this many milliseconds. */
const gatherMs = 50;

export class LogPart {
  /** Rejects if it cannot be written, else resolves after its end with what was signed; null if it was cut. */
  readonly done: Promise<LogSeal | null>;
  /** Resolves when the beginning is written. */
  readonly ready: Promise<void>;
  private readonly deps: LogPartDeps;
  private readonly meta: PartMeta;
  /** Text that is not encrypted yet. */
  private input: Uint8Array[] = [];
  private inputBytes = 0;
  private wake = () => {};
  private gatherTimer: NodeJS.Timeout | undefined;
  /** The input has waited long enough. */
  private isDue = false;
  private received = 0;
  private written = 0;
  private isEnded = false;
  private isCut = false;

  constructor(meta: PartMeta, recipient: string, deps: LogPartDeps) {
    this.meta = meta;
    this.deps = deps;
    let begun = () => {};
    const beginning = new Promise<void>((resolve) => {
      begun = resolve;
    });
    this.done = this.record(recipient, begun);
    this.ready = Promise.race([beginning, this.done.then(() => undefined)]);
    for (const promise of [this.done, this.ready]) promise.catch(() => undefined);
  }

  /** Ends it without a signature: what follows was not recorded. */
  cut(): void {
    this.isCut = true;
    this.end();
  }

  /** Bytes of text that are in memory only. */
  get unwritten(): number {
    return this.received - this.written;
  }

  /** Text, or its bytes in UTF-8, which must not change afterwards. */
  write(text: Uint8Array | string): void {
    if (this.isEnded || text.length === 0) return;
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    this.received += bytes.length;
    this.input.push(bytes);
    this.inputBytes += bytes.length;
    if (this.inputBytes >= streamLimits.logChunk) this.wake();
    this.gatherTimer ??= setTimeout(() => {
      this.isDue = true;
      this.wake();
    }, gatherMs);
  }

  end(): void {
    this.isEnded = true;
    this.wake();
  }

  private async record(recipient: string, begun: () => void): Promise<LogSeal | null> {
    const { meta, deps } = this;
    const part: SpooledPart = { meta, chunks: [], isClosed: false };
    let files: PartFiles | undefined;
    try {
      files = await deps.spool.create(meta, (chunk) => {
        part.chunks.push(chunk);
        deps.onProgress(part);
      });
      const encryption = await AgeEncryption.begin(recipient);
      await files.append(encryption.header);
      begun();
      for await (const bytes of this.arriving()) {
        const blocks = bytes.flatMap((piece) => encryption.add(piece));
        if (blocks.length === 0) continue;
        await files.append(Buffer.concat(blocks));
        this.written = encryption.encryptedBytes;
      }
      await files.append(Buffer.concat(encryption.end()));
      await files.end();
      if (this.isCut) return null;
      const { sessionId, kind, part: number, startedAt } = meta;
      const seal = {
        ...{ sessionId, kind, part: number, startedAt },
        ...{ chunks: files.chunks, bytes: files.bytes, digest: files.digest() },
        endedAt: new Date(deps.now()).toISOString(),
      };
      part.sealed = { type: 'sealed', ...seal, signature: deps.signingKey.sign(sealBytes(seal)) };
      await deps.spool.saveSeal(meta, part.sealed);
      return seal;
    } catch (error) {
      this.isEnded = true;
      clearTimeout(this.gatherTimer);
      this.input = [];
      // What was written stays and is uploaded without an end.
      await files?.end().catch(() => undefined);
      throw error;
    } finally {
      await files?.abandon();
      part.isClosed = true;
      deps.onProgress(part);
    }
  }

  /** What was written since the last turn, until the end. */
  private async *arriving(): AsyncGenerator<Uint8Array[]> {
    while (!this.isEnded || this.input.length > 0) {
      if (!this.isEnded && !this.isDue && this.inputBytes < streamLimits.logChunk)
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      clearTimeout(this.gatherTimer);
      this.gatherTimer = undefined;
      this.isDue = false;
      this.inputBytes = 0;
      yield this.input.splice(0);
    }
  }
}
