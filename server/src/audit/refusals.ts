// Every refusal of somebody who is known goes into the audit log.
import { all } from '@yagura/core/all';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../http/request-context.ts';
import { routePath } from '../http/route-path.ts';
import { actorOf } from './actor.ts';
import type { AuditLog } from './audit-log.ts';

const byRoute = new Map(
  all.flatMap((resource) => {
    const paths = [resource.path, resource.itemPath];
    const calls = Object.values(resource.calls).map(
      (call) => (call.on === 'item' ? resource.itemPath : resource.path) + call.path,
    );
    return [...paths, ...calls].map((path) => [routePath(path), resource.name] as const);
  }),
);

export function auditRefusals(app: FastifyInstance, audit: AuditLog): void {
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode !== 403) return;
    const caller = callerOf(request);
    if (!caller) return;
    const path = request.url.split('?')[0]!;
    audit.later({
      actor: actorOf(caller.principal),
      from: caller.from,
      action: request.method,
      outcome: 'refused',
      resource: byRoute.get(request.routeOptions.url ?? '') ?? 'api',
      detail: `${request.method} ${path}`,
    });
  });
}
