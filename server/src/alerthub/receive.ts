// The webhook receivers: any body under an unguessable address becomes a message.
import { Problem } from '@yagura/core/http/problem';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyLimit } from '../http/app.ts';
import type { Intake } from './intake.ts';
import type { SlotDirectory } from './slot-directory.ts';

export const receivePath = '/receive/webhook';

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
  parts: { directory: SlotDirectory; intake: Intake; publicUrl: string },
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyLimit.message },
      (_request, body, done) => done(null, body),
    );
    scope.addHook('onRequest', async (request) => {
      // A type that is no type would be refused before any parser is asked; the message keeps it as it came.
      const type = request.headers['content-type'];
      if (type === undefined || request.mediaType) return;
      oddTypes.set(request, type);
      delete request.headers['content-type'];
    });
    scope.post(`${receivePath}/:token`, { bodyLimit: bodyLimit.message }, async (request, reply) => {
      const { token } = request.params as { token: string };
      const address = await parts.directory.find(token);
      if (address?.kind !== 'webhook')
        throw new Problem('not-found', { detail: 'no receive slot has this address' });
      if (address.disabled) throw new Problem('forbidden', { detail: 'this receive slot is disabled' });
      const messageId = await parts.intake.receive({
        address,
        requestUrl: parts.publicUrl + request.url,
        headers: headersOf(request),
        body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
        deliveryKey: deliveryKeyOf(request),
      });
      return reply.code(202).header('cache-control', 'no-store').send({ messageId });
    });
  });
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
