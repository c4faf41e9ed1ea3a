// Records every refused request of an authenticated caller in the audit log.
import { resources } from '@yagura/core/all';
import { type AnyResource, editMethods, type Verb } from '@yagura/core/resource/define-resource';
import { type StandaloneCall, standaloneCalls } from '@yagura/core/standalone-calls';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../audit/actor.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../common/clock.ts';
import { routePath } from '../http/route-path.ts';
import { callerOf } from './create-request-context.ts';

type Route = readonly [method: string, path: string];

/** Keyed by method and route, since several resources may share a path. */
const byRoute = new Map<string, string>([
  ...Object.values(standaloneCalls).map(({ method, path, permission }: StandaloneCall): [string, string] => [
    keyOf([method, path]),
    // Format: `<app>:<resource>:<verb>`
    permission?.split(':')[1] ?? 'api',
  ]),
  ...resources.flatMap((resource) =>
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

/** Window in milliseconds in which repeated refusals are counted and recorded together. */
const batchWindowMs = 60_000;
/** Maximum number of refusals grouped at a time; further ones are recorded individually. */
const maxBatched = 10_000;

/**
 * Records a refusal at once, and repeats by the same caller on the same route as one count a minute later.
 */
export function auditRefusals(
  app: FastifyInstance,
  audit: Pick<AuditLog, 'enqueue'>,
  clock: Pick<Clock, 'after'>,
): void {
  const gathered = new Map<string, { entry: AuditEntry; repeats: number; stop: () => void }>();
  const end = (key: string) => {
    const { entry, repeats, stop } = gathered.get(key)!;
    stop();
    gathered.delete(key);
    if (repeats > 0)
      audit.enqueue({ ...entry, detail: `${entry.detail} (refused ${repeats} more times within a minute)` });
  };
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode !== 403) return;
    const caller = callerOf(request);
    if (!caller) return;
    const { principal, from } = caller;
    // HEAD is answered by the route of GET.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = `${method} ${request.routeOptions.url}`;
    const key = JSON.stringify([principal.userId, principal.apiTokenId ?? null, from.address, route]);
    const known = gathered.get(key);
    if (known) {
      known.repeats += 1;
      return;
    }
    const entry: AuditEntry = {
      actor: actorOf(principal),
      from,
      action: method,
      outcome: 'refused',
      resource: byRoute.get(route) ?? 'api',
      detail: `${method} ${request.url.split('?')[0]!}`,
    };
    audit.enqueue(entry);
    if (gathered.size < maxBatched)
      gathered.set(key, { entry, repeats: 0, stop: clock.after(batchWindowMs, () => end(key)) });
  });
  app.addHook('onClose', async () => {
    for (const key of [...gathered.keys()]) end(key);
  });
}
