// Reads a request body within its limit and the shared memory budget.
import type { Readable } from 'node:stream';
import { Problem } from '@yagura/core/http/problem';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { BodyReservation } from './body-budget.ts';

/** The client disconnected before the body was complete. */
export class BodyBrokenOff extends Problem {
  constructor() {
    super('invalid', { detail: 'the body broke off' });
  }
}

/**
 * Reads the whole body. Throws 413 above the limit, 503 when the memory budget is exhausted, BodyBrokenOff
 * when the client disconnects.
 */
export async function readBody(
  payload: Readable,
  {
    limit,
    declared,
    reservation,
  }: { limit: number; declared: number | undefined; reservation: BodyReservation },
): Promise<Buffer> {
  if (declared !== undefined && declared > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    let isSettled = false;
    // The listeners stay: the stream ends with its body, and removing them costs as much as adding them.
    const stop = (error: Error) => {
      isSettled = true;
      // Discard the rest; errors that follow are irrelevant.
      payload.pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      if (isSettled) return;
      size += chunk.length;
      if (size > limit) return stop(tooLarge(limit));
      try {
        reservation.reserve(chunk.length);
      } catch (error) {
        return stop(error as Error);
      }
      chunks.push(chunk);
    };
    const onEnd = () => {
      isSettled = true;
      resolve();
    };
    const onClose = () => {
      if (!isSettled) stop(new BodyBrokenOff());
    };
    payload.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
    payload.resume();
  });
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

export function tooLarge(limit: number): Problem {
  const size =
    limit < 1024 * 1024 ? `${Math.floor(limit / 1024)} kB` : `${Math.floor(limit / 1024 / 1024)} MB`;
  return new TranslatableProblem('too-large', translatable('refusal.body-size', { size }));
}

/** The declared content length; undefined when absent. */
export function declaredLength(headers: { 'content-length'?: string | undefined }): number | undefined {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isNaN(length) ? undefined : length;
}
