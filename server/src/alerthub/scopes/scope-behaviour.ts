// Scopes: user settings are in `resource`, the state derived from messages in `scope_state` and `severity`.
import { type CompiledConfig, couldChange } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { rule } from '@yagura/core/alerthub/rule';
import { scope } from '@yagura/core/alerthub/scope';
import {
  defaultSeverityName,
  overflowSeverityName,
  scopeStatuses,
  type Thresholds,
  toScopeStatus,
} from '@yagura/core/alerthub/scope-status';
import { lastMuteEnd, type Mute } from '@yagura/core/schedule/mute';
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { present, showItem } from '../../resource/item-operations.ts';
import { findItem } from '../../resource/item-store.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { bodyTable } from '../../resource/list/table.ts';
import { listItems } from '../../resource/list-items.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { raisedAssignments } from '../scope-state/acknowledgement.ts';
import { acknowledgeScope, unacknowledgeScope } from './acknowledge-scope.ts';
import type { ScopeServices } from './scope-services.ts';

/** Whether changes were aggregated because the scope had reached its maximum number of severities. */
const hasOverflowSql = `exists (select 1 from severity f where f.scope_id = r.id and f.name = '${overflowSeverityName}' and f.value > 0)`;

export const scopeBehaviour: Behaviour<typeof scope, ScopeServices> = {
  resource: scope,
  serializedWithDecisions: 'settings',
  table: bodyTable(scope, {
    join: 'left join scope_state s on s.scope_id = r.id',
    select: `s.status, s.severity, s.last_event_at, s.raised_at, s.acknowledged_at, s.acknowledged_by,
      s.acknowledgement_note, ${hasOverflowSql} as is_full,
      (select jsonb_agg(m.body) from resource m where m.space_id = r.space_id and m.parent_id = r.id
        and m.kind = 'mute-schedule' and m.body->>'disabled' = 'false') as mutes`,
    columns: {
      status: { sql: "coalesce(s.status, 'normal')", type: 'text' },
      severity: { sql: 'coalesce(s.severity, 0)', type: 'number' },
      full: { sql: hasOverflowSql, type: 'boolean' },
      lastEventAt: { sql: 's.last_event_at', type: 'time' },
      raisedAt: { sql: 's.raised_at', type: 'time' },
      acknowledgedAt: { sql: 's.acknowledged_at', type: 'time' },
    },
    item: (row) => ({
      status: row.status ?? 'normal',
      severity: row.severity ?? 0,
      full: row.is_full === true,
      lastEventAt: row.last_event_at ?? null,
      raisedAt: row.raised_at ?? null,
      acknowledgedAt: row.acknowledged_at ?? null,
      acknowledgedBy: row.acknowledged_by ?? null,
      acknowledgementNote: row.acknowledgement_note ?? null,
      mutes: row.mutes ?? [],
    }),
  }),
  present(context, { mutes, ...item }) {
    const end = lastMuteEnd((mutes ?? []) as Mute[], context.services.clock.now());
    return { ...item, mutedUntil: end === undefined ? null : isoTime(end) };
  },
  afterWrite: (tx, context, id, body, before) => afterScopesWritten(tx, context, [{ id, body, before }]),
  async afterRemove(tx, _context, id) {
    await tx.query('delete from severity where scope_id = $1', [id]);
    await tx.query('delete from severity_fingerprint where scope_id = $1', [id]);
    await tx.query('delete from attribute where scope_id = $1', [id]);
    await tx.query('delete from created_scope where scope_id = $1', [id]);
    await tx.query('delete from scope_state where scope_id = $1', [id]);
    await tx.query('delete from waiting_trigger where scope_id = $1', [id]);
  },
  calls: {
    async acknowledge(context, body) {
      await acknowledgeScope(context, body);
      return showScope(context);
    },
    async unacknowledge(context) {
      await unacknowledgeScope(context);
      return showScope(context);
    },
    async rules(context) {
      const { database, pipeline } = context.services;
      const scopeId = context.params.scopeId ?? '';
      const found = await findItem(database, context, scope, scopeBehaviour.table!, scopeId);
      if (!found) throw itemNotFound(context, scope);
      const ids = rulesTouching(await pipeline.config.of(database, context.spaceId), scopeId);
      const ofScope = { ...ruleTable, where: `${ruleTable.where} and r.id = any('{${ids.join(',')}}')` };
      return listItems(context, rule, ofScope, readListQuery(rule, context.query, context.t));
    },
  },
};

async function showScope(context: RequestContext<ScopeServices>): Promise<unknown> {
  const { item } = await showItem(context, scopeBehaviour, scopeBehaviour.table!);
  return present(scopeBehaviour, context, item);
}

const ruleTable = bodyTable(rule);

/** Ids of rules that name the scope, or select it by its current attributes. */
function rulesTouching(config: CompiledConfig, scopeId: string): string[] {
  const rules = [...config.rulesBySlot.values()].flat();
  return rules
    .filter(({ events }) => events.some((event) => couldChange(event, config, scopeId)))
    .map((found) => found.ruleId);
}

interface WrittenScope {
  id: string;
  body: Record<string, unknown>;
  /** Absent for a new scope. */
  before?: Record<string, unknown> | undefined;
}

/** Side effects of writing scopes: creates the severity of new ones and updates their state. */
export async function afterScopesWritten(
  tx: Queryable,
  context: RequestContext,
  scopes: readonly WrittenScope[],
): Promise<void> {
  await tx.query(
    `insert into severity (space_id, scope_id, name, value, created_at, updated_at)
     select $1, scope_id, $3, 0, $4, $4 from unnest($2::uuid[]) scope_id`,
    [
      context.spaceId,
      scopes.filter(({ before }) => !before).map(({ id }) => id),
      defaultSeverityName,
      isoTime(context.services.clock.now()),
    ],
  );
  await refreshStates(tx, context, scopes);
}

/** Recomputes status and recovery time after thresholds, recovery time or the set of severities changed. */
export async function refreshStates(
  tx: Queryable,
  context: RequestContext,
  scopes: readonly Pick<WrittenScope, 'id' | 'body'>[],
): Promise<void> {
  const { rows } = await tx.query<{ scope_id: string; value: number }>(
    'select scope_id, max(value) as value from severity where scope_id = any($1::uuid[]) group by scope_id',
    [scopes.map(({ id }) => id)],
  );
  const highest = new Map(rows.map(({ scope_id, value }) => [scope_id, value]));
  const states = scopes.map(({ id, body }) => {
    const severity = highest.get(id) ?? 0;
    const status = toScopeStatus(severity, body.thresholds as Thresholds);
    return { scope_id: id, status, severity, recovery: body.recoveryTime };
  });
  await tx.query(
    `with given as (
       select * from jsonb_to_recordset($2::jsonb) as x(scope_id uuid, status text, severity int, recovery int)
     )
     insert into scope_state (scope_id, space_id, status, severity, recovery_at, raised_at)
     select g.scope_id, $1, g.status, g.severity, case when g.severity > 0
       then greatest(s.last_event_at, s.last_reported_at) + make_interval(secs => g.recovery) end,
       case when array_position($3::text[], g.status) > coalesce(array_position($3::text[], s.status), 1) then $4::timestamptz end
     from given g left join scope_state s on s.scope_id = g.scope_id
     on conflict (scope_id) do update set status = excluded.status, severity = excluded.severity,
       recovery_at = excluded.recovery_at, ${raisedAssignments}`,
    [context.spaceId, JSON.stringify(states), scopeStatuses, isoTime(context.services.clock.now())],
  );
}
