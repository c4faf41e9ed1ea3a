// Streams live changes as server-sent events, limited to what the caller may read.
import { can, type Permissions, permissionsOf } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import { resources } from '@yagura/core/all';
import { Problem } from '@yagura/core/http/problem';
import { permissionFor } from '@yagura/core/resource/define-resource';
import type { FastifyInstance } from 'fastify';
import type { Change, ChangeBus } from '../../db/change-bus.ts';
import { callHeaders } from '../../http/call-headers.ts';
import { type ApiServices, createRequestContext } from '../create-request-context.ts';
import { createVisibleChanges, isNarrowed, type RowFilterSource, rowFiltersOf } from './visible-changes.ts';

const heartbeatIntervalMs = 15_000;
/**
 * Interval in milliseconds at which permissions are checked again; the credential cache adds a few seconds.
 */
const checkIntervalMs = 1_500;
/** Streams of one user at a time; each checks permissions and reads what it may tell. A page without one polls. */
const maxStreamsPerUser = 100;
/** Maximum buffered bytes. A slower reader is disconnected; it reconnects and reloads. */
const maxBuffered = 256 * 1024;

const permissions = new Map(resources.map((resource) => [resource.name, readPermission(resource.name)]));

export interface ChangeStreamServices extends ApiServices {
  changes: ChangeBus;
  /** Adds work to the graceful shutdown; returns a function that removes it. */
  onClose(work: () => void): () => void;
}

const contentType = 'text/event-stream; charset=utf-8';

/** `sources` are the resources with row-level conditions, among any others. */
export function serveChanges(
  app: FastifyInstance,
  services: ChangeStreamServices,
  sources: readonly RowFilterSource[],
): void {
  // The changes of personal data have the id of its owner, not of the item.
  const filters = rowFiltersOf(sources.filter(({ resource }) => !isPersonal(resource.name)));
  const streams = new Map<string, number>();
  app.get('/api/internal/changes', async (request, reply) => {
    let context = await createRequestContext(services, request);
    const { userId } = context.principal;
    let grant = permissionsOf(context.principal.claims, roleMap);
    // A stream of no events would stay open for nothing.
    if (request.method === 'HEAD') return reply.type(contentType).send('');
    const others = streams.get(userId) ?? 0;
    if (others >= maxStreamsPerUser) throw new Problem('too-many-requests');
    reply.hijack();
    const stream = reply.raw;
    // The client has gone already; nothing would tell when it does.
    if (stream.destroyed) return;
    streams.set(userId, others + 1);
    stream.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      ...callHeaders,
      'content-type': contentType,
      'x-accel-buffering': 'no',
    });
    stream.write('retry: 2000\n: ready\n\n');
    const onVisible = (changes: readonly Change[]) => {
      const text = changes
        .map(
          ({ spaceId: _spaceId, state: _state, ...change }) =>
            `event: change\ndata: ${JSON.stringify(change)}\n\n`,
        )
        .join('');
      if (text === '' || stream.destroyed || stream.writableEnded) return;
      if (stream.writableLength > maxBuffered) stream.destroy();
      else stream.write(text);
    };
    const tellSeen = createVisibleChanges({
      filters,
      context: () => context,
      onVisible,
      disconnect: () => stream.destroy(),
    });
    const stopListening = services.changes.listen((changes) => {
      const mine = changes.filter(
        (change) => change.spaceId === context.spaceId && mayRead(grant, change, context.principal.userId),
      );
      const isOpen = ({ resource }: Change) => !isNarrowed(filters, context, resource);
      onVisible(mine.filter(isOpen));
      tellSeen(mine.filter((change) => !isOpen(change)));
    });
    const stopBeating = services.clock.every(heartbeatIntervalMs, () => stream.write(': \n\n'));
    const stopChecking = services.clock.every(checkIntervalMs, () => {
      createRequestContext(services, request).then(
        (fresh) => {
          context = fresh;
          grant = permissionsOf(fresh.principal.claims, roleMap);
        },
        // An unavailable database says nothing about the caller.
        (error: unknown) => {
          if (error instanceof Problem) stream.end();
        },
      );
    });
    const forget = services.onClose(() => {
      stop();
      stream.end();
    });
    const stop = () => {
      stopListening();
      stopBeating();
      stopChecking();
      forget();
    };
    stream.on('close', () => {
      stop();
      const left = streams.get(userId)! - 1;
      if (left > 0) streams.set(userId, left);
      else streams.delete(userId);
    });
  });
}

/** Changes to personal data are sent to its owner only. */
function mayRead(grant: Permissions, change: Change, userId: string): boolean {
  if (isPersonal(change.resource)) return change.id === userId;
  const requiredPermission = permissions.get(change.resource);
  return requiredPermission !== undefined && can(grant, requiredPermission);
}

/** Data of one user, such as a profile. */
function isPersonal(resource: string): boolean {
  return permissions.get(resource)?.startsWith('self:') ?? false;
}

function readPermission(name: string): string {
  const resource = resources.find((candidate) => candidate.name === name)!;
  return permissionFor(resource, resource.verbs.includes('list') ? 'list' : 'show');
}
