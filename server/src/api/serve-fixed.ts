// Serves the calls that belong to no resource, as described in core.
import { type StandaloneCall, type StandaloneCallName, standaloneCalls } from '@yagura/core/standalone-calls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BodyRule, defaultBodyRule } from '../http/body/body-rule.ts';
import { parseInput } from '../http/input/check-input.ts';
import { routePath } from '../http/route-path.ts';
import { readExpand } from '../resource/expand.ts';
import type { RequestContext } from '../resource/request-context.ts';
import { type ApiServices, createAdmission, requireMarkerHeader } from './create-request-context.ts';

type ServedCall = Exclude<StandaloneCallName, 'client-info'>;

/** Registers the handler of a call; permission and body are checked before it runs. */
export function serveFixed<Services extends ApiServices>(
  app: FastifyInstance,
  services: Services,
  name: ServedCall,
  answer: (context: RequestContext<Services>, body: unknown) => Promise<unknown> | unknown,
): void {
  const { body }: StandaloneCall = standaloneCalls[name];
  serveFixedRaw(app, services, name, (context, request) =>
    answer(context, body ? parseInput(body, request.body ?? {}, context) : undefined),
  );
}

/** Same, for a call with a non-JSON reply or a file as body: the handler reads and writes them itself. */
export function serveFixedRaw<Services extends ApiServices>(
  app: FastifyInstance,
  services: Services,
  name: ServedCall,
  answer: (
    context: RequestContext<Services>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown> | unknown,
  bodyLimit?: number,
): void {
  const { method, path, permission, body }: StandaloneCall = standaloneCalls[name];
  const { onRequest, admitted } = createAdmission(services, (context) => {
    if (permission) context.require(permission);
  });
  const rule: BodyRule = { ...defaultBodyRule, schema: body && { schema: body, key: { fixed: name } } };
  app.route({
    method,
    url: routePath(path),
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: { body: rule },
    onRequest,
    handler: async (request, reply) => {
      const context = await admitted(request);
      readExpand(undefined, context);
      return answer(context, request, reply);
    },
  });
}

interface ClientInfoServices {
  identity: { clientInfo(): unknown };
}

/** Serves the sign-in configuration, the only call without authentication. */
export function serveClientInfo(app: FastifyInstance, services: ClientInfoServices): void {
  app.get(routePath(standaloneCalls['client-info'].path), async (request) => {
    requireMarkerHeader(request);
    return services.identity.clientInfo();
  });
}
