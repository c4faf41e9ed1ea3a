/** Socket that connects the PostgreSQL driver to the engine's worker thread over a message port. */
import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

const maxUnacknowledgedBytes = 1024 * 1024;
const confirmIntervalBytes = 256 * 1024;

/**
 * Replaces the net.Socket of the driver. `open` returns the port to a running engine, or throws the reason
 * why there is none. `confirm` is called before each write and throws if this process may no longer write to
 * the folder. Back-pressure: writing pauses while the worker has more than 1 MiB unread; the worker starts no
 * further statement while 2 MiB of replies are unread here. Each side reports the number of bytes it has
 * consumed.
 */
export class PortSocket extends Duplex {
  readonly #open: () => Promise<MessagePort>;
  readonly #confirm: (() => void) | undefined;
  #port: MessagePort | undefined;
  #unacknowledged = 0;
  #resumeWriting: (() => void) | undefined;
  #unconfirmed = 0;

  constructor(open: () => Promise<MessagePort>, confirm?: () => void) {
    super();
    this.#open = open;
    this.#confirm = confirm;
  }

  /** Called by the driver; emits `connect` when the engine is ready, or `error`. */
  connect(): this {
    this.#open().then(
      (port) => {
        if (this.destroyed) {
          port.close();
          return;
        }
        this.#port = port;
        port.on('message', (message: Uint8Array | number) => this.#receive(message));
        this.emit('connect');
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#port?.ref();
    return this;
  }

  unref(): this {
    this.#port?.unref();
    return this;
  }

  #receive(message: Uint8Array | number): void {
    if (typeof message === 'number') {
      this.#unacknowledged -= message;
      this.#continueWriting();
      return;
    }
    this.#unconfirmed += message.length;
    if (this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength)))
      this.#confirmReading();
  }

  /**
   * Reports consumed bytes to the worker; not for every small reply, as the worker tolerates more than that.
   */
  #confirmReading(): void {
    if (this.#unconfirmed < confirmIntervalBytes) return;
    this.#port?.postMessage(this.#unconfirmed);
    this.#unconfirmed = 0;
  }

  #continueWriting(): void {
    if (this.#unacknowledged > maxUnacknowledgedBytes) return;
    const resume = this.#resumeWriting;
    this.#resumeWriting = undefined;
    resume?.();
  }

  override _read(): void {
    this.#confirmReading();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // Copied: the driver's buffers are slices of a shared pool.
    this.#send(new Uint8Array(chunk), done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const bytes = new Uint8Array(chunks.reduce((sum, { chunk }) => sum + chunk.length, 0));
    let at = 0;
    for (const { chunk } of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#send(bytes, done);
  }

  /** Transfers the bytes to the worker. */
  #send(bytes: Uint8Array<ArrayBuffer>, done: (error?: Error | null) => void): void {
    if (!this.#port) {
      done(new Error('Connection terminated: the engine is not connected'));
      return;
    }
    try {
      this.#confirm?.();
    } catch (error) {
      done(error as Error);
      return;
    }
    const { length } = bytes;
    this.#port.postMessage(bytes, [bytes.buffer]);
    this.#unacknowledged += length;
    this.#resumeWriting = done;
    this.#continueWriting();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#port?.close();
    this.#port = undefined;
    this.#resumeWriting = undefined;
    done(error);
  }
}
