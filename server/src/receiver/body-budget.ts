// Bounds the memory of all bodies that are being received, and reads one of them within that bound.
import type { IncomingMessage } from 'node:http';
import { Problem } from '@yagura/core/http/problem';

/** Bytes of bodies in flight, counted from their arrival until their message is on disk. */
export class BodyBudget {
  private left: number;

  constructor(max: number) {
    this.left = max;
  }

  /** False when there is no room for so many more. */
  take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.left += bytes;
  }
}

/** The sender went away before all of it had come. */
export class BodyBrokenOff extends Error {}

/** A body, and what gives its memory back to the budget. */
export interface HeldBody {
  bytes: Buffer;
  release(): void;
}

/** Throws a Problem for a body over the limit or the budget, and BodyBrokenOff. Nothing is held then. */
export function readBody(request: IncomingMessage, limit: number, budget: BodyBudget): Promise<HeldBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const release = () => budget.give(size);
    const settle = (work: () => void) => {
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      request.off('error', onClose);
      work();
    };
    const fail = (error: Error) =>
      settle(() => {
        // What still comes is not kept.
        request.on('error', () => undefined);
        request.pause();
        release();
        reject(error);
      });
    const onData = (chunk: Buffer) => {
      if (size + chunk.length > limit) return fail(tooLarge(limit));
      if (!budget.take(chunk.length))
        return fail(new Problem('unavailable', { detail: 'too much is being received', retryAfter: 1 }));
      size += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = () =>
      settle(() =>
        resolve({ bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size), release }),
      );
    const onClose = () => fail(new BodyBrokenOff('the sender went away'));
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
    request.on('error', onClose);
  });
}

export function tooLarge(limit: number): Problem {
  return new Problem('too-large', { detail: `the body may have at most ${Math.floor(limit / 2 ** 20)} MB` });
}
