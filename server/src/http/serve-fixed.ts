// Serves the calls that belong to no resource, each as core describes it.
import { type FixedCall, type FixedCallName, fixedCalls } from '@yagura/core/http/fixed-calls';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../resource/context.ts';
import { readWith } from '../resource/serve.ts';
import type { Services } from '../services.ts';
import { checkMarker, contextOf } from './request-context.ts';

/** Answers one of the calls; its permission and its body are checked before. */
export function serveFixed(
  app: FastifyInstance,
  services: Services,
  name: Exclude<FixedCallName, 'client-info'>,
  answer: (context: Context, body: unknown) => Promise<unknown> | unknown,
): void {
  const { method, path, permission, body }: FixedCall = fixedCalls[name];
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    handler: async (request) => {
      const context = await contextOf(services, request);
      if (permission) context.require(permission);
      return answer(context, body ? readWith(body, request.body ?? {}, context) : undefined);
    },
  });
}

/** How to sign in: the one call that nobody needs to be signed in for. */
export function serveClientInfo(app: FastifyInstance, services: Services): void {
  app.get(fixedCalls['client-info'].path.replace(/\{(\w+)\}/g, ':$1'), async (request) => {
    checkMarker(request);
    return services.identity.clientInfo();
  });
}
