// Answers the handshakes of senders at receive slots that confirm them; the receivers pass them on.
import { Problem } from '@yagura/core/http/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AuditWriter } from '../../audit/audit-log.ts';
import type { Clock } from '../../common/clock.ts';
import type { SendResult } from '../../delivery/send-result.ts';
import { type HandshakeKind, handshakeOf } from './handshake.ts';
import type { Refusal } from './refusal.ts';
import type { KnownSlot } from './slot-directory.ts';
import { receivePath } from './slot-token.ts';
import { confirmSnsSubscription } from './sns-subscription.ts';

export interface HandshakeDeps {
  clock: Clock;
  spaceId: string;
  audit: Pick<AuditWriter, 'record'>;
  directory: { find(token: string): Promise<KnownSlot | null> };
  refusals: { add(refusals: readonly Refusal[]): Promise<void> };
  fetchPage(url: string): Promise<SendResult>;
}

/** A confirmed handshake: the response, and what was confirmed. */
interface Confirmed {
  headers?: Record<string, string>;
  body?: object;
  detail: string;
}

const bodyLimit = 65_536;

const validationSchema = z
  .array(z.object({ data: z.object({ validationCode: z.string().min(1).max(512) }) }))
  .length(1);

export function serveHandshakes(app: FastifyInstance, deps: HandshakeDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ['POST', 'OPTIONS'],
      url: `${receivePath}/:token`,
      bodyLimit,
      handler: (request, reply) => answerHandshake(request, reply, deps),
    });
  });
}

async function answerHandshake(request: FastifyRequest, reply: FastifyReply, deps: HandshakeDeps) {
  const kind = handshakeOf(request.raw);
  const slot = kind && (await deps.directory.find((request.params as { token: string }).token));
  const isHere = slot?.kind === 'webhook' && slot.spaceId === deps.spaceId && !slot.disabled;
  if (!kind || !isHere || !slot.options.confirmSubscriptions)
    throw new Problem('not-found', { detail: 'no such call' });
  try {
    const { headers = {}, body, detail } = await confirm(kind, request, deps);
    await record(deps, request, slot, 'done', detail);
    return await reply
      .code(200)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send(body ?? {});
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await record(deps, request, slot, 'refused', error.detail ?? '');
    await deps.refusals.add([
      {
        ...{ receiveSlotId: slot.receiveSlotId, address: slot.endpoint, reason: 'subscription-refused' },
        ...{ method: request.method, sender: request.ip, userAgent: userAgentOf(request) },
        ...{ count: 1, refusedAt: deps.clock.now() },
      },
    ]);
    throw error;
  }
}

async function confirm(
  kind: HandshakeKind,
  { headers, body }: FastifyRequest,
  { fetchPage }: HandshakeDeps,
): Promise<Confirmed> {
  const text = typeof body === 'string' ? body : '';
  switch (kind) {
    case 'sns':
      return { detail: `Amazon SNS: ${await confirmSnsSubscription(text, fetchPage)}` };
    case 'event-grid':
      return { body: { validationResponse: readValidationCode(text) }, detail: 'Azure Event Grid' };
    case 'cloud-events': {
      const origin = String(headers['webhook-request-origin']);
      if (!/^[\w.*-]{1,253}$/.test(origin))
        throw new Problem('invalid', { detail: 'WebHook-Request-Origin is not a host name' });
      const allowed = { 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*', allow: 'POST' };
      return { headers: allowed, detail: `CloudEvents: ${origin}` };
    }
  }
}

function readValidationCode(body: string): string {
  try {
    return validationSchema.parse(JSON.parse(body))[0]!.data.validationCode;
  } catch {
    throw new Problem('invalid', { detail: 'the body is not a validation event with data.validationCode' });
  }
}

function record(
  { audit }: HandshakeDeps,
  request: FastifyRequest,
  { receiveSlotId }: KnownSlot,
  outcome: 'done' | 'refused',
  detail: string,
): Promise<void> {
  return audit.record({
    actor: { kind: 'guest', userId: null, name: '' },
    from: { address: request.ip, userAgent: userAgentOf(request) },
    action: 'confirm-subscription',
    ...{ outcome, resource: 'receive-slot', resourceId: receiveSlotId, detail },
  });
}

const userAgentOf = ({ headers }: FastifyRequest): string => (headers['user-agent'] ?? '').slice(0, 200);
