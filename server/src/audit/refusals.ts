// Every refusal of somebody who is known goes into the audit log.
import { all } from '@yagura/core/all';
import { type FixedCall, fixedCalls } from '@yagura/core/http/fixed-calls';
import { type AnyResource, editMethods, type Verb } from '@yagura/core/resource/define-resource';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../http/request-context.ts';
import { routePath } from '../http/route-path.ts';
import { actorOf } from './actor.ts';
import type { AuditLog } from './audit-log.ts';

type Route = readonly [method: string, path: string];

/** By method and route: several resources may share a path. */
const byRoute = new Map<string, string>([
  ...Object.values(fixedCalls).map(({ method, path, permission }: FixedCall): [string, string] => [
    keyOf([method, path]),
    // `<app>:<resource>:<verb>`
    permission?.split(':')[1] ?? 'api',
  ]),
  ...all.flatMap((resource) =>
    routesOf(resource).map((route): [string, string] => [keyOf(route), resource.name]),
  ),
]);

function keyOf([method, path]: Route): string {
  return `${method} ${routePath(path)}`;
}

function routesOf(resource: AnyResource): Route[] {
  const { path, itemPath, verbs, calls } = resource;
  const byVerb: Record<Verb, Route[]> = {
    list: [['GET', path]],
    create: [['POST', path]],
    show: [['GET', itemPath]],
    edit: editMethods(resource).map((method): Route => [method, itemPath]),
    remove: [['DELETE', itemPath]],
  };
  const others = Object.values(calls).map(
    (call): Route => [call.method, (call.on === 'item' ? itemPath : path) + call.path],
  );
  return [...verbs.flatMap((verb) => byVerb[verb]), ...others];
}

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
      resource: byRoute.get(`${request.method} ${request.routeOptions.url}`) ?? 'api',
      detail: `${request.method} ${path}`,
    });
  });
}
