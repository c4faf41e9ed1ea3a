// Severities of a scope: computed from events, and reset on request.
import { severity } from '@yagura/core/alerthub/scope';
import { type Thresholds, toScopeStatus } from '@yagura/core/alerthub/scope-status';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../../common/clock.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce } from '../../resource/item-operations.ts';
import { assertParentVisible, reloadItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { callerCause } from './caller-cause.ts';
import { refreshStates } from './scope-behaviour.ts';
import type { ScopeServices } from './scope-services.ts';

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
  serializedWithDecisions: 'state',
  async create(tx, context, input) {
    const { name } = input;
    const scopeId = (await assertParentVisible(tx, context, severity))!;
    const { rowCount } = await tx.query(
      `insert into severity (space_id, scope_id, name, value, created_at, updated_at) values ($1, $2, $3, 0, $4, $4)
       on conflict do nothing`,
      [context.spaceId, scopeId, name, isoTime(context.services.clock.now())],
    );
    if (rowCount === 0) {
      throw new Problem('conflict', {
        title: context.t('refusal.title.exists'),
        invalidParams: [{ name: 'name', reason: context.t('rule.keyExists') }],
      });
    }
    const { item } = await reloadItem(tx, context, severity, severityTable, name);
    return { item, onCommitted: () => announce(context, severity, name, 'create') };
  },
  async remove(tx, context) {
    const name = context.params.name ?? '';
    const scopeId = (await assertParentVisible(tx, context, severity))!;
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
    return () => announce(context, severity, name, 'delete');
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
      const changes = wanted.map((row) => ({
        scopeId,
        severityName: row.name,
        change: { to: 0 },
        source: 'reset' as const,
        cause: callerCause(context.principal),
      }));
      const { result } = await pipeline.withPipelineLock(
        'state',
        async (tx) => {
          const applied = await pipeline.applyChangesInTransaction(tx, context.spaceId, changes);
          await context.record(tx);
          return applied;
        },
        ({ onCommitted }) => onCommitted(),
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
