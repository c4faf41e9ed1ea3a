// Number of items that a space contains.
import { spaceUsage } from '@yagura/core/space/cancellation';
import { isoTime } from '../../common/clock.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { CancellationServices } from './cancellation-behaviour.ts';

/** Resources stored in their own tables, by resource name. */
const ownTables = {
  user: 'person',
  'api-token': 'api_token',
  invitation: 'invitation',
  'audit-record': 'audit_record',
  message: 'message',
  event: 'event',
  'action-record': 'action_record',
  'runbook-record': 'runbook_record',
  session: 'greac_session',
  result: 'pigeon_chain',
  'managed-node': 'managed_node',
  snapshot: 'snapshot',
  task: 'task',
};

export const spaceUsageBehaviour: Behaviour<typeof spaceUsage, CancellationServices> = {
  resource: spaceUsage,
  async show({ services, spaceId }) {
    const own = Object.entries(ownTables).map(
      ([resource, table]) =>
        `select '${resource}' as resource, count(*)::int as count from ${table} where space_id = $1`,
    );
    const { rows: counts } = await services.database.query<{ resource: string; count: number }>(
      `${own.join(' union all ')}
       union all select kind, count(*)::int from resource where space_id = $1 group by kind`,
      [spaceId],
    );
    const countedAt = isoTime(services.clock.now());
    counts.sort((a, b) => b.count - a.count || a.resource.localeCompare(b.resource));
    return {
      version: countedAt,
      item: {
        countedAt,
        maxUsers: services.contract.maxUsers,
        counts: counts.filter(({ count }) => count > 0),
      },
    };
  },
};
