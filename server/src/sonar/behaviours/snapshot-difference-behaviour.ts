// What changed between two snapshots of a network.
import { invalidField, Problem } from '@yagura/core/http/problem';
import { matchesFilter } from '@yagura/core/query/filter';
import { snapshotDifference } from '@yagura/core/sonar/snapshot';
import { isUuid } from '../../common/id.ts';
import type { Queryable } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { assertParentVisible } from '../../resource/item-store.ts';
import { listInMemory } from '../../resource/list/in-memory-list.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { createAddressComparison } from '../address-order.ts';
import { compareSnapshots, type HostDifference } from '../snapshot-differences.ts';
import { snapshotBehaviour } from './snapshot-behaviour.ts';

const parent = snapshotBehaviour as Behaviour;
const compareTexts = new Intl.Collator('und').compare;

export const snapshotDifferenceBehaviour: Behaviour<typeof snapshotDifference> = {
  resource: snapshotDifference,
  parent,
  async list(context) {
    const { database } = context.services;
    const query: Record<string, unknown> = { limit: '10', ...context.query };
    const { filter } = readListQuery(snapshotDifference, query, context.t);
    await assertParentVisible(database, context, snapshotDifference, parent);
    const before = await findBase(database, context);
    if (!before) return listInMemory(snapshotDifference, [], { query, t: context.t });
    const networkId = context.params.networkId!;
    const itemOf = (one: HostDifference) => ({
      differenceId: `${one.nodeId} ${one.kind} ${one.entry}`,
      networkId,
      ...one,
    });
    const { differences, isComplete } = await compareSnapshots(
      database,
      { before, after: context.params.snapshotId! },
      (one) => !filter || matchesFilter(filter, itemOf(one)),
    );
    const { filter: _applied, ...rest } = query;
    const compareAddresses = createAddressComparison();
    // Without a sort parameter they stay in the order of the comparison.
    const page = listInMemory(
      snapshotDifference,
      differences.map(itemOf),
      { query: rest, t: context.t },
      (left, right, field) => (field === 'addr' ? compareAddresses : compareTexts)(left, right),
    );
    return { ...page, ...(isComplete ? {} : { totalIsLeast: true as const }) };
  },
};

/**
 * The snapshot to compare with: `baseSnapshotId`, otherwise the previous one that succeeded; null if there is
 * none. Throws a 409 if the scan of the newer snapshot has not succeeded, because its hosts are not complete.
 */
async function findBase(
  db: Queryable,
  { params, query, spaceId, t }: RequestContext,
): Promise<string | null> {
  const { baseSnapshotId } = query;
  const isGiven = baseSnapshotId !== undefined && baseSnapshotId !== '';
  if (isGiven && (typeof baseSnapshotId !== 'string' || !isUuid(baseSnapshotId)))
    throw invalidField('baseSnapshotId', t('rule.uuid'));
  const { rows } = await db.query<{ status: string; previous: string | null }>(
    `select s.status, (select p.snapshot_id from snapshot p where p.network_id = s.network_id and p.status = 'succeeded'
       and (p.created_at, p.snapshot_id) < (s.created_at, s.snapshot_id) order by p.created_at desc, p.snapshot_id desc limit 1) as previous
     from snapshot s where s.space_id = $1 and s.network_id = $2 and s.snapshot_id = $3`,
    [spaceId, params.networkId, params.snapshotId],
  );
  if (rows[0]?.status !== 'succeeded')
    throw new Problem('not-possible', { detail: t('sonar.difference.not-succeeded') });
  if (!isGiven) return rows[0].previous;
  const { rows: base } = await db.query<{ status: string }>(
    'select status from snapshot where space_id = $1 and network_id = $2 and snapshot_id = $3',
    [spaceId, params.networkId, baseSnapshotId],
  );
  if (!base[0]) throw invalidField('baseSnapshotId', t('sonar.difference.no-base'));
  if (base[0].status !== 'succeeded')
    throw invalidField('baseSnapshotId', t('sonar.difference.not-succeeded'));
  return baseSnapshotId as string;
}
