// Loads scopes that are not normal, most severe first, each with its last event.
import type { event } from '@yagura/core/alerthub/event';
import type { scope } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import type { Item } from '@yagura/core/resource/define-resource';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import type { Row } from '../resource/meta/row.ts';

export type Scope = Item<typeof scope>;
export type Event = Item<typeof event>;

export interface UnsettledScope extends Scope {
  lastEvent: Event | null;
}

const statusRank = { incident: 2, warning: 1, normal: 0 } as const;
/** Concurrent requests while loading the last events. */
const maxConcurrent = 10;

/** Sorts incidents before warnings, then what nobody has acknowledged, then by severity and latest event first. */
export function bySeverity(a: Scope, b: Scope): number {
  return (
    (statusRank[b.status] ?? 0) - (statusRank[a.status] ?? 0) ||
    Number(isAcknowledged(a)) - Number(isAcknowledged(b)) ||
    b.severity - a.severity ||
    (b.lastEventAt ?? '').localeCompare(a.lastEventAt ?? '') ||
    a.displayName.localeCompare(b.displayName, undefined, { numeric: true })
  );
}

/** Servers of earlier versions do not send the field. */
export function isAcknowledged({ acknowledgedAt }: Scope): boolean {
  return (acknowledgedAt ?? null) !== null;
}

export async function loadUnsettledScopes(
  transport: Transport,
  signal: AbortSignal,
): Promise<UnsettledScope[]> {
  const client = resourceClient(resourceNamed('scope'), transport);
  const scopes: Scope[] = [];
  for await (const item of client.fetchAll({ filter: 'status ne "normal"' }, {}, signal))
    scopes.push(item as Scope);
  scopes.sort(bySeverity);
  const found: UnsettledScope[] = [];
  for (let index = 0; index < scopes.length; index += maxConcurrent) {
    const part = scopes.slice(index, index + maxConcurrent);
    const events = await Promise.all(part.map((one) => loadLastEvent(transport, one, signal)));
    found.push(...part.map((one, place) => ({ ...one, lastEvent: events[place]! })));
  }
  return found;
}

/** Loads a scope with its last event; null when it was deleted. */
export async function loadScope(
  transport: Transport,
  scopeId: string,
  signal: AbortSignal,
): Promise<UnsettledScope | null> {
  const found = await resourceClient(resourceNamed('scope'), transport).find(scopeId, {}, signal);
  if (!found) return null;
  const scope = found as Scope;
  return { ...scope, lastEvent: await loadLastEvent(transport, scope, signal) };
}

async function loadLastEvent(
  transport: Transport,
  { scopeId, lastEventAt }: Scope,
  signal: AbortSignal,
): Promise<Event | null> {
  try {
    // Without a time, the server counts all events of the scope.
    const query = { limit: 1, sort: '-createdAt', ...(lastEventAt ? { sinceAt: lastEventAt } : {}) };
    const page = await resourceClient(resourceNamed('event'), transport).list(query, { scopeId }, signal);
    return ((page.items[0] as Row | undefined) ?? null) as Event | null;
  } catch (error) {
    // The scope may have been deleted meanwhile, or its events may not be readable.
    if (error instanceof Problem && (error.kind === 'not-found' || error.kind === 'forbidden')) return null;
    throw error;
  }
}
