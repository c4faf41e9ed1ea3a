// The webhook receivers: any body under an unguessable address becomes a message.
import { Problem } from '@yagura/core/http/problem';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyLimit } from '../http/app.ts';
import type { Intake } from './intake.ts';
import { MailLoop, takeMail } from './mail/take-mail.ts';
import { tokenOfAddress } from './slot-address.ts';
import type { SlotAddress, SlotDirectory } from './slot-directory.ts';
import type { SlotRate } from './slot-rate.ts';

export const receivePath = '/receive/webhook';
/** For whatever already takes mails and hands them over: `yagura-server receive-mail`. */
const mailPath = '/receive/mail';

/** Headers whose values are for the way here, not for the message. */
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie']);
/** What senders call the id of a delivery; the first that is there counts. */
const deliveryHeaders = [
  'idempotency-key',
  'webhook-id',
  'x-delivery-id',
  'x-github-delivery',
  'x-gitlab-event-uuid',
  'x-amz-sns-message-id',
];

const oddTypes = new WeakMap<FastifyRequest, string>();

export function serveReceivers(
  app: FastifyInstance,
  parts: {
    directory: SlotDirectory;
    intake: Intake;
    rate: SlotRate;
    publicUrl: string;
    /** Whether slots of this space are known here: those of others are not, but for mails, which have one domain for all. */
    knows(spaceId: string, kind: 'webhook' | 'email'): boolean;
    /** Bytes of one mail. */
    mailSize: number;
  },
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.addHook('onRequest', async (request) => {
      // A type that is no type would be refused before any parser is asked; the message keeps it as it came.
      const type = request.headers['content-type'];
      if (type === undefined || request.mediaType) return;
      oddTypes.set(request, type);
      delete request.headers['content-type'];
    });
    const slotOf = async (token: string, kind: 'webhook' | 'email') => {
      const slot = await parts.directory.find(token);
      if (slot?.kind === kind && parts.knows(slot.spaceId, kind)) return slot;
      throw new Problem('not-found', { detail: 'no receive slot has this address' });
    };
    scope.post(`${receivePath}/:token`, { bodyLimit: bodyLimit.message }, async (request, reply) => {
      const { token } = request.params as { token: string };
      const address = await slotOf(token, 'webhook');
      checkSlot(address, parts.rate);
      const messageId = await parts.intake.receive({
        address,
        requestUrl: parts.publicUrl + request.url,
        headers: headersOf(request),
        body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
        deliveryKey: deliveryKeyOf(request),
      });
      return reply.code(202).header('cache-control', 'no-store').send({ messageId });
    });
    scope.post(`${mailPath}/:address`, { bodyLimit: parts.mailSize }, async (request, reply) => {
      const address = (request.params as { address: string }).address;
      const slot = await slotOf(tokenOfAddress(address), 'email');
      checkSlot(slot, parts.rate);
      const raw = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      if (raw.length === 0) throw new Problem('invalid', { detail: 'the mail is empty' });
      try {
        const [messageId] = await takeMail(parts.intake, raw, [{ slot, address }]);
        return reply.code(202).header('cache-control', 'no-store').send({ messageId });
      } catch (error) {
        if (error instanceof MailLoop) throw new Problem('invalid', { detail: error.message, cause: error });
        throw error;
      }
    });
  });
}

/** Refuses for a slot that takes nothing, or nothing now. */
function checkSlot(slot: SlotAddress, rate: SlotRate): void {
  if (slot.disabled) throw new Problem('forbidden', { detail: 'this receive slot is disabled' });
  const retryAfter = rate.take(slot.receiveSlotId);
  if (retryAfter > 0)
    throw new Problem('too-many-requests', { detail: 'too many messages for this receive slot', retryAfter });
}

function headersOf(request: FastifyRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  const oddType = oddTypes.get(request);
  if (oddType !== undefined) headers['content-type'] = oddType;
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined) continue;
    headers[name] = secretHeaders.has(name) ? '[removed]' : Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

function deliveryKeyOf(request: FastifyRequest): string | undefined {
  for (const name of deliveryHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, 1024);
  }
  return undefined;
}
