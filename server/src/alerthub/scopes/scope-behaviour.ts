// Scopes: user settings are in `resource`, the state derived from messages in `scope_state` and `severity`.

import type { CompiledConfig } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { rule } from '@yagura/core/alerthub/rule';
import { attribute, scope, severity } from '@yagura/core/alerthub/scope';
import {
  defaultSeverityName,
  overflowSeverityName,
  type Thresholds,
  toScopeStatus,
} from '@yagura/core/alerthub/scope-status';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import { assertParentVisible, findItem, listItems, reloadItem } from '../../resource/item-store.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { bodyTable, rowTable } from '../../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

export interface ScopeServices extends ResourceServices {
  pipeline: Pipeline;
}

/** Whether changes were aggregated because the scope had reached its maximum number of severities. */
const hasOverflowSql = `exists (select 1 from severity f where f.scope_id = r.id and f.name = '${overflowSeverityName}' and f.value > 0)`;

export const scopeBehaviour: Behaviour<typeof scope, ScopeServices> = {
  resource: scope,
  serializedWithDecisions: true,
  table: bodyTable(scope, {
    join: 'left join scope_state s on s.scope_id = r.id',
    select: `s.status, s.severity, s.last_event_at, ${hasOverflowSql} as is_full`,
    columns: {
      status: { sql: "coalesce(s.status, 'normal')", type: 'text' },
      severity: { sql: 'coalesce(s.severity, 0)', type: 'number' },
      full: { sql: hasOverflowSql, type: 'boolean' },
      lastEventAt: { sql: 's.last_event_at', type: 'time' },
    },
    item: (row) => ({
      status: row.status ?? 'normal',
      severity: row.severity ?? 0,
      full: row.is_full === true,
      lastEventAt: row.last_event_at ?? null,
    }),
  }),
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

const ruleTable = bodyTable(rule);

/** Ids of rules that name the scope, or select it by its current attributes. */
function rulesTouching(config: CompiledConfig, scopeId: string): string[] {
  const rules = [...config.rulesBySlot.values()].flat();
  return rules
    .filter(({ events }) =>
      events.some(({ selector, scopeId: named }) =>
        selector ? [...selector.possibleScopes(config.scopeIndex)].includes(scopeId) : named === scopeId,
      ),
    )
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
async function refreshStates(
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
     insert into scope_state (scope_id, space_id, status, severity, recovery_at)
     select g.scope_id, $1, g.status, g.severity, case when g.severity > 0
       then s.last_event_at + make_interval(secs => g.recovery) end
     from given g left join scope_state s on s.scope_id = g.scope_id
     on conflict (scope_id) do update set status = excluded.status, severity = excluded.severity,
       recovery_at = excluded.recovery_at`,
    [context.spaceId, JSON.stringify(states)],
  );
}

const severityTable = rowTable(severity, {
  from: `severity v join resource r on r.space_id = v.space_id and r.kind = 'scope' and r.id = v.scope_id`,
  alias: 'v',
  parent: 'scope_id',
  id: { sql: 'v.name', type: 'text' },
  without: ['status'],
  columns: {
    status: {
      sql: `(case when v.value >= (r.body->'thresholds'->>'incident')::int then 'incident'
        when v.value >= (r.body->'thresholds'->>'warning')::int then 'warning' else 'normal' end)`,
      type: 'text',
    },
  },
  select: `r.body->'thresholds' as thresholds`,
  item: (row) => ({ status: toScopeStatus(row.value as number, row.thresholds as Thresholds) }),
});

export const severityBehaviour: Behaviour<typeof severity, ScopeServices> = {
  resource: severity,
  table: severityTable,
  async create(context, input) {
    const { database, clock } = context.services;
    const { name } = input;
    const scopeId = (await assertParentVisible(database, context, severity))!;
    const { rowCount } = await database.query(
      `insert into severity (space_id, scope_id, name, value, created_at, updated_at) values ($1, $2, $3, 0, $4, $4)
       on conflict do nothing`,
      [context.spaceId, scopeId, name, isoTime(clock.now())],
    );
    if (rowCount === 0) {
      throw new Problem('conflict', {
        title: 'Already exists',
        invalidParams: [{ name: 'name', reason: context.t('rule.keyExists') }],
      });
    }
    announce(context, severity, name, 'create');
    return (await reloadItem(database, context, severity, severityTable, name)).item;
  },
  async remove(context, ifMatch) {
    const name = context.params.name ?? '';
    const { pipeline } = context.services;
    const scopeId = (await assertParentVisible(context.services.database, context, severity))!;
    const write = async (tx: Queryable) => {
      const before = await findItem(tx, context, severity, severityTable, name);
      if (before) checkMatch(ifMatch, before.version);
      const { rowCount } = await tx.query('delete from severity where scope_id = $1 and name = $2', [
        scopeId,
        name,
      ]);
      if (rowCount === 0) throw noSeverity(context, [name]);
      await tx.query('delete from severity_fingerprint where scope_id = $1 and name = $2', [scopeId, name]);
      const { rows } = await tx.query<{ body: Record<string, unknown> }>(
        'select body from resource where id = $1',
        [scopeId],
      );
      await refreshStates(tx, context, [{ id: scopeId, body: rows[0]!.body }]);
    };
    await pipeline.withPipelineLock(write, () => announce(context, severity, name, 'delete'));
  },
  calls: {
    async reset(context, body) {
      const { database, pipeline } = context.services;
      const scopeId = (await assertParentVisible(database, context, severity))!;
      const { names } = body;
      const { rows } = await database.query<{ name: string }>(
        'select name from severity where scope_id = $1 order by name',
        [scopeId],
      );
      const unknown = (names ?? []).filter((name) => !rows.some((row) => row.name === name));
      if (unknown.length > 0) throw noSeverity(context, unknown);
      // Those at 0 as well: fingerprints may remain in them.
      const wanted = rows.filter((row) => names === undefined || names.includes(row.name));
      const result = await pipeline.applyChanges(
        context.spaceId,
        wanted.map((row) => ({ scopeId, severityName: row.name, change: { to: 0 }, source: 'reset' })),
      );
      return { reset: result.events.map((event) => event.severityName) };
    },
  },
};

function noSeverity({ t }: RequestContext, names: readonly string[]): Problem {
  return new Problem('not-found', {
    detail: t('problem.no-severity', { names: names.join(t('problem.comma')) }),
  });
}

const attributeTable = rowTable(attribute, {
  from: 'attribute a',
  alias: 'a',
  parent: 'scope_id',
  id: { sql: 'a.name', type: 'text' },
});

/** Maximum characters of an attribute name. */
const maxName = 255;

export const attributeBehaviour: Behaviour<typeof attribute> = {
  resource: attribute,
  table: attributeTable,
  async edit(context, input, ifMatch) {
    const { database, clock } = context.services;
    const name = context.params.name ?? '';
    const blank = name.trim() === '';
    if (blank || name.length > maxName) {
      const reason = blank ? context.t('rule.required') : context.t('rule.maxLength', { count: maxName });
      throw new Problem('invalid', { invalidParams: [{ name: 'name', reason }] });
    }
    const scopeId = (await assertParentVisible(database, context, attribute))!;
    const before = await findItem(database, context, attribute, attributeTable, name);
    if (before) checkMatch(ifMatch, before.version);
    else if (ifMatch !== undefined) throw new Problem('changed');
    await database.query(
      `insert into attribute (space_id, scope_id, name, value, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
       on conflict (scope_id, name) do update set value = excluded.value, updated_at = excluded.updated_at`,
      [context.spaceId, scopeId, name, input.value, isoTime(clock.now())],
    );
    announce(context, attribute, name, before ? 'update' : 'create');
    return reloadItem(database, context, attribute, attributeTable, name);
  },
  async remove(context, ifMatch) {
    const { database } = context.services;
    const name = context.params.name ?? '';
    const scopeId = (await assertParentVisible(database, context, attribute))!;
    const before = await findItem(database, context, attribute, attributeTable, name);
    if (before) checkMatch(ifMatch, before.version);
    const { rowCount } = await database.query('delete from attribute where scope_id = $1 and name = $2', [
      scopeId,
      name,
    ]);
    if (rowCount === 0)
      throw new Problem('not-found', { detail: context.t('problem.no-attribute', { name }) });
    announce(context, attribute, name, 'delete');
  },
};
