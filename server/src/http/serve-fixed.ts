// Serves the calls that belong to no resource, each as core describes it.
import { type FixedCall, type FixedCallName, fixedCalls } from '@yagura/core/http/fixed-calls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readWith } from '../resource/check-input.ts';
import type { RequestContext } from '../resource/context.ts';
import type { Services } from '../services.ts';
import { type BodyRule, ordinaryBody } from './body-rule.ts';
import { admission, checkMarker } from './request-context.ts';
import { routePath } from './route-path.ts';

type ServedCall = Exclude<FixedCallName, 'client-info'>;

/** Answers one of the calls; its permission and its body are checked before. */
export function serveFixed(
  app: FastifyInstance,
  services: Services,
  name: ServedCall,
  answer: (context: RequestContext, body: unknown) => Promise<unknown> | unknown,
): void {
  const { body }: FixedCall = fixedCalls[name];
  serveFixedRaw(app, services, name, (context, request) =>
    answer(context, body ? readWith(body, request.body ?? {}, context) : undefined),
  );
}

/** The same for a call whose reply is no JSON or whose body is a file: the answer reads and writes them itself. */
export function serveFixedRaw(
  app: FastifyInstance,
  services: Services,
  name: ServedCall,
  answer: (
    context: RequestContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown> | unknown,
  bodyLimit?: number,
): void {
  const { method, path, permission, body }: FixedCall = fixedCalls[name];
  const { onRequest, admitted } = admission(services, (context) => {
    if (permission) context.require(permission);
  });
  const rule: BodyRule = { ...ordinaryBody, schema: body && { schema: body, key: { fixed: name } } };
  app.route({
    method,
    url: routePath(path),
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: { body: rule },
    onRequest,
    handler: async (request, reply) => answer(await admitted(request), request, reply),
  });
}

/** How to sign in: the one call that nobody needs to be signed in for. */
export function serveClientInfo(app: FastifyInstance, services: Services): void {
  app.get(routePath(fixedCalls['client-info'].path), async (request) => {
    checkMarker(request);
    return services.identity.clientInfo();
  });
}
