// One part of a log: text in, encrypted chunks in the spool out, a signed end.
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { type LogSeal, sealBytes } from '@yagura/core/greac/stream/gateway-protocol';
import { Encrypter } from 'age-encryption';
import type { LogSpool, PartFiles, PartMeta, SpooledPart } from './log-spool.ts';
import type { SigningKey } from './signing-key.ts';

export interface LogPartDeps {
  spool: LogSpool;
  signingKey: SigningKey;
  now(): number;
  /** The part has new chunks or its end. */
  onProgress(part: SpooledPart): void;
}

/** age encrypts in blocks of this size, each with a tag of 16 bytes. */
const plainBlock = 64 * 1024;
const encryptedBlock = plainBlock + 16;

export class LogPart {
  /** Rejects if it cannot be written, else resolves after its end with what was signed; null if it was cut. */
  readonly done: Promise<LogSeal | null>;
  /** Resolves when the beginning is written. */
  readonly ready: Promise<void>;
  private readonly deps: LogPartDeps;
  private readonly meta: PartMeta;
  private readonly input: ReadableStreamDefaultController<Uint8Array>;
  private readonly encoder = new TextEncoder();
  private received = 0;
  private written = 0;
  private isEnded = false;
  private isCut = false;

  constructor(meta: PartMeta, recipient: string, deps: LogPartDeps) {
    this.meta = meta;
    this.deps = deps;
    let input: ReadableStreamDefaultController<Uint8Array>;
    const plain = new ReadableStream<Uint8Array>({
      start(controller) {
        input = controller;
      },
    });
    this.input = input!;
    let begun = () => {};
    const beginning = new Promise<void>((resolve) => {
      begun = resolve;
    });
    this.done = this.encrypt(plain, recipient, begun);
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

  write(text: string): void {
    if (this.isEnded || text === '') return;
    const bytes = this.encoder.encode(text);
    this.received += bytes.length;
    this.input.enqueue(bytes);
  }

  end(): void {
    if (!this.isEnded) this.input.close();
    this.isEnded = true;
  }

  private async encrypt(
    plain: ReadableStream<Uint8Array>,
    recipient: string,
    begun: () => void,
  ): Promise<LogSeal | null> {
    const { meta, deps } = this;
    const part: SpooledPart = { meta, chunks: [], isClosed: false };
    let files: PartFiles | undefined;
    try {
      files = await deps.spool.create(meta);
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      const encrypted = await encrypter.encrypt(plain);
      for await (const bytes of encrypted as unknown as NodeStream<Uint8Array>) {
        this.add(part, await files.append(bytes));
        if (bytes.length === encryptedBlock) this.written += plainBlock;
        begun();
      }
      this.add(part, await files.end());
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
      // What was written stays and is uploaded without an end.
      const last = files ? await files.end().catch(() => []) : [];
      part.chunks.push(...last);
      throw error;
    } finally {
      await files?.abandon();
      part.isClosed = true;
      deps.onProgress(part);
    }
  }

  private add(part: SpooledPart, chunks: number[]): void {
    if (chunks.length === 0) return;
    part.chunks.push(...chunks);
    this.deps.onProgress(part);
  }
}
