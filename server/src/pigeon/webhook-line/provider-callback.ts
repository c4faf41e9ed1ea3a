// Receives call status callbacks from a telephony provider: signed, recent, and only for calls in progress.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '@yagura/core/http/problem';
import { callReasons } from '@yagura/core/pigeon/result';
import { invalidParams } from '@yagura/core/validation/issue-messages';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import { signWebhook } from '../../delivery/webhook-signature.ts';
import { translatorFor } from '../../http/request-language.ts';
import { type CallReport, callEventAt } from '../call-report.ts';
import { callbackPath } from './webhook-line.ts';

const bodyLimit = 16_384;
/** Maximum clock difference of a signature's timestamp in seconds (Standard Webhooks). */
const tolerance = 300;

const statusSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ringing') }),
  z.object({ status: z.literal('answered') }),
  /** The callee of a transfer was connected to its destination. */
  z.object({ status: z.literal('transferred') }),
  z.object({
    status: z.literal('key'),
    key: z.string().regex(/^[0-9*#]$/),
    readings: z.int().min(0).max(100).optional(),
  }),
  z.object({
    status: z.literal('ended'),
    reason: z.enum(callReasons).optional(),
    readings: z.int().min(0).max(100).optional(),
  }),
]);

export interface CallbackDeps {
  clock: Clock;
  secret: Uint8Array;
  report(resultId: string, callId: string, report: CallReport): Promise<void>;
}

export function serveCallbacks(app: FastifyInstance, { clock, secret, report }: CallbackDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(`${callbackPath}/:resultId/:callId`, { bodyLimit }, async (request, reply) => {
      const text = (request.body as string | undefined) ?? '';
      if (!isValidSignature(request, text, secret, clock.now()))
        throw new Problem('forbidden', { detail: 'the signature is missing, wrong or too old' });
      const { resultId, callId } = request.params as { resultId: string; callId: string };
      if (!isUuid(resultId) || !isUuid(callId)) throw new Problem('not-found', { detail: 'no such call' });
      const parsed = statusSchema.safeParse(parseJson(text));
      if (!parsed.success) {
        const t = translatorFor(request.headers['accept-language']);
        throw new Problem('invalid', { invalidParams: invalidParams(parsed.error, t) });
      }
      await report(resultId, callId, toReport(parsed.data, clock));
      return reply.code(202).header('cache-control', 'no-store').send({});
    });
  });
}

function toReport({ status, ...details }: z.output<typeof statusSchema>, clock: Clock): CallReport {
  if (status === 'transferred') return { kind: 'event', event: callEventAt(clock.now(), status) };
  return { kind: status, ...details } as CallReport;
}

/** Whether any signature of a Standard Webhooks request is valid and its timestamp is current. */
export function isValidSignature(
  { headers }: Pick<FastifyRequest, 'headers'>,
  body: string,
  secret: Uint8Array,
  now: number,
): boolean {
  const [deliveryId, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => (typeof headers[name] === 'string' ? (headers[name] as string) : ''),
  );
  const seconds = Number(timestamp);
  if (!deliveryId || !/^\d{1,12}$/.test(timestamp!) || Math.abs(now / 1000 - seconds) > tolerance)
    return false;
  const expected = signWebhook([secret], { deliveryId, seconds, body });
  return signatures!.split(' ').some((candidate) => equalInConstantTime(candidate, expected));
}

/** Compares in constant time. */
function equalInConstantTime(left: string, right: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
