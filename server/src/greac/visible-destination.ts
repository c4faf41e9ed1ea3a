// Finds destinations as their callers may see them.
import { destination } from '@yagura/core/greac/destination';
import { Problem } from '@yagura/core/http/problem';
import type { Item } from '@yagura/core/resource/define-resource';
import type { Queryable } from '../db/database.ts';
import { findItem } from '../resource/item-store.ts';
import { bodyTable } from '../resource/list/table.ts';
import type { RequestContext } from '../resource/request-context.ts';
import { narrowDestinations } from './narrow-by-membership.ts';

export type Destination = Item<typeof destination>;

const destinationTable = bodyTable(destination);

/** The destination; null if it does not exist or the caller is no member. */
export async function findVisibleDestination(
  db: Queryable,
  context: RequestContext,
  id: string,
): Promise<Destination | null> {
  const found = await findItem(db, context, destination, destinationTable, id, (sql) =>
    narrowDestinations(context, sql),
  );
  return (found?.item as Destination | undefined) ?? null;
}

/** The destination of a session. Former members keep the history but may not join: throws 403. */
export async function requireDestination(
  db: Queryable,
  context: RequestContext,
  id: string,
): Promise<Destination> {
  const found = await findVisibleDestination(db, context, id);
  if (!found) throw new Problem('forbidden', { detail: context.t('refusal.not-member') });
  return found;
}
