// Finds destinations as their callers may see them.
import { destination } from '@yagura/core/greac/destination';
import { Problem } from '@yagura/core/http/problem';
import type { Item } from '@yagura/core/resource/define-resource';
import type { Queryable, Transaction } from '../db/database.ts';
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

/**
 * Keeps the destination until the end of the transaction: its deletion would miss what is added to it meanwhile. False if
 * it is gone.
 */
export async function keepDestination(tx: Transaction, spaceId: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from resource where space_id = $1 and kind = $2 and id = $3 for key share',
    [spaceId, destination.name, id],
  );
  return rows.length > 0;
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
