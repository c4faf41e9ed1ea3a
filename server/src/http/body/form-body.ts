// Limits for form posts to the console, enforced while the body is streamed.
import { Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { BodyReservation } from './body-budget.ts';
import { declaredLength, tooLarge } from './read-body.ts';
import { maxRecordingUploadBytes, maxUploadBytes } from './upload-limit.ts';

export interface FormRule {
  /** Maximum size in bytes. */
  limit: number;
  /** Maximum number of fields of a URL-encoded form; unlimited when absent. */
  maxFields?: number;
  /** The body is streamed and never buffered. */
  isStreamed?: boolean;
}

/** Pages that accept a form from anyone: language and color scheme choices, and signing out. */
const open = /^\/(?:choices|sign-out)(?:\.data)?$/;
/** Pages that accept a file. */
const uploads = /^\/apps\/alerthub\/tools\/[^/]+\/imports(?:\.data)?$/;
/** The page that accepts a recorded file. */
const recordings = /^\/apps\/pigeon\/guidances\/[^/]+\/recording(?:\.data)?$/;

const openForm: FormRule = { limit: 16 * 1024, maxFields: 100 };
const pageForm: FormRule = { limit: 2 * 1024 * 1024, maxFields: 20_000 };
const upload: FormRule = { limit: maxUploadBytes, isStreamed: true };
const recording: FormRule = { limit: maxRecordingUploadBytes, isStreamed: true };

/** The limits for a post to a page; null when no body is accepted from a caller who is not signed in. */
export function formRuleOf(path: string, isSignedIn: boolean): FormRule | null {
  if (open.test(path)) return openForm;
  if (!isSignedIn) return null;
  if (recordings.test(path)) return recording;
  return uploads.test(path) ? upload : pageForm;
}

const ampersand = 0x26;

/**
 * Returns the request's body within the limits. Throws a 413 immediately when the declared length is too
 * large.
 */
export function limitForm(
  request: FastifyRequest,
  rule: FormRule,
  reservation: BodyReservation | undefined,
): Transform {
  const { limit, maxFields = Number.POSITIVE_INFINITY, isStreamed } = rule;
  if ((declaredLength(request.headers) ?? 0) > limit) throw tooLarge(limit);
  const isUrlencoded = /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
  let size = 0;
  let fields = 1;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) return done(tooLarge(limit));
      if (isUrlencoded) {
        for (let at = chunk.indexOf(ampersand); at >= 0; at = chunk.indexOf(ampersand, at + 1)) fields += 1;
        if (fields > maxFields)
          return done(
            new TranslatableProblem('too-large', translatable('refusal.form-fields', { max: maxFields })),
          );
      }
      try {
        if (!isStreamed) reservation?.reserve(chunk.length);
      } catch (error) {
        return done(error as Error);
      }
      done(null, chunk);
    },
  });
  request.raw.once('error', (error) => bounded.destroy(error));
  request.raw.once('close', () => {
    if (!request.raw.complete) bounded.destroy(new Error('the body broke off'));
  });
  return request.raw.pipe(bounded);
}
