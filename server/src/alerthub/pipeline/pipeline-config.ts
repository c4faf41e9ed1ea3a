// Loads and compiles the settings used for evaluation; caches them until they change.

import { action } from '@yagura/core/alerthub/action';
import {
  type CompiledConfig,
  type ConfigRows,
  compileConfig,
} from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { isUuid } from '../../common/id.ts';
import type { Change, ChangeBus } from '../../db/change-bus.ts';
import type { Queryable } from '../../db/database.ts';
import { openBody, type Sealing } from '../../resource/sealing/sealed-fields.ts';

const kinds = [
  'rule',
  'scope',
  'attribute',
  'trigger',
  'mute-schedule',
  'action',
  'runbook',
  'receive-slot',
  'space',
];

/** Ids of changed items above which all settings are loaded again. Fewer than a bulk change announces at most. */
const maxChanged = 100;

interface KnownSettings {
  rows: ConfigRows;
  compiled: CompiledConfig;
  /** Ids of items, and of scopes with other attributes, that have changed since the rows were loaded. */
  changed: Set<string>;
}

export class PipelineConfig {
  private readonly known = new Map<string, KnownSettings>();
  /** Incremented on every change, so that settings loaded before a change are not cached after it. */
  private generation = 0;

  private readonly sealing: Sealing;

  constructor(changes: ChangeBus, sealing: Sealing) {
    this.sealing = sealing;
    changes.listen((list) => {
      for (const change of list) {
        // Evaluation itself announces scopes; only an edit of a scope changes its settings.
        if (!kinds.includes(change.resource) || change.state) continue;
        this.note(change);
        this.generation++;
      }
    });
  }

  forget(): void {
    this.known.clear();
    this.generation++;
  }

  async of(db: Queryable, spaceId: string): Promise<CompiledConfig> {
    const known = this.known.get(spaceId);
    if (known?.changed.size === 0) return known.compiled;
    const { generation } = this;
    const rows = known
      ? await reloadConfigRows(db, spaceId, this.sealing, known)
      : await loadConfigRows(db, spaceId, this.sealing);
    const compiled = compileConfig(rows);
    if (generation === this.generation) this.known.set(spaceId, { rows, compiled, changed: new Set() });
    return compiled;
  }

  private note({ spaceId, resource, id, scope }: Change): void {
    const known = this.known.get(spaceId);
    if (!known) return;
    // An attribute is found by its scope, which bulk changes leave out.
    const changedId = resource === 'attribute' ? scope : id;
    if (isUuid(changedId)) known.changed.add(changedId);
    if (!isUuid(changedId) || known.changed.size > maxChanged) this.known.delete(spaceId);
  }
}

interface Row {
  kind: string;
  id: string;
  parent_id: string | null;
  body: Record<string, unknown>;
  created_at: string;
}

/** Loads the changed items only; the other rows, and lists without any change, stay the same objects. */
async function reloadConfigRows(
  db: Queryable,
  spaceId: string,
  sealing: Sealing,
  known: Pick<KnownSettings, 'rows' | 'changed'>,
): Promise<ConfigRows> {
  // More changes may be noted meanwhile.
  const changed = new Set(known.changed);
  const fresh = await loadConfigRows(db, spaceId, sealing, [...changed]);
  const merge = <T>(stored: readonly T[] = [], loaded: readonly T[] = [], id: (row: T) => string) =>
    mergeRows(stored, loaded, id, changed);
  return {
    ...fresh,
    rules: merge(known.rows.rules, fresh.rules, (row) => row.ruleId),
    scopes: merge(known.rows.scopes, fresh.scopes, (row) => row.scopeId),
    triggers: merge(known.rows.triggers, fresh.triggers, (row) => row.triggerId),
    mutes: merge(known.rows.mutes, fresh.mutes, (row) => row.muteScheduleId),
    runbooks: merge(known.rows.runbooks, fresh.runbooks, (row) => row.runbookId),
    actions: merge(known.rows.actions, fresh.actions, (row) => row.actionId),
  };
}

/** Replaces changed rows at their place, drops those that are gone, and appends new ones. */
function mergeRows<T>(
  stored: readonly T[],
  loaded: readonly T[],
  id: (row: T) => string,
  changed: ReadonlySet<string>,
): readonly T[] {
  if (loaded.length === 0 && !stored.some((row) => changed.has(id(row)))) return stored;
  const added = new Map(loaded.map((row) => [id(row), row]));
  const kept = stored.flatMap((row) => {
    if (!changed.has(id(row))) return [row];
    const now = added.get(id(row));
    added.delete(id(row));
    return now ? [now] : [];
  });
  return [...kept, ...added.values()];
}

/** Loads the stored settings of a space; with `ids`, only these items, and the attributes of these scopes. */
export async function loadConfigRows(
  db: Queryable,
  spaceId: string,
  sealing: Sealing,
  ids?: readonly string[],
): Promise<ConfigRows> {
  const values = ids ? [spaceId, ids] : [spaceId];
  const { rows } = await db.query<Row>(
    `select kind, id, parent_id, body, created_at from resource
     where space_id = $1 and kind in ('rule', 'scope', 'trigger', 'mute-schedule', 'action', 'runbook')
     ${ids ? 'and id = any($2::uuid[])' : ''}`,
    values,
  );
  const attributes = await db.query<{ scope_id: string; name: string; value: string }>(
    `select scope_id, name, value from attribute where space_id = $1
     ${ids ? 'and scope_id = any($2::uuid[])' : ''}`,
    values,
  );
  const slots = await db.query<{ id: string; runbook_id: string }>(
    `select id, body->>'runbookId' as runbook_id from resource
     where space_id = $1 and kind = 'receive-slot' and body->>'runbookId' is not null`,
    [spaceId],
  );
  const space = await db.query<{ display_name: string }>(
    'select display_name from space where space_id = $1',
    [spaceId],
  );
  const created = await db.query<{ receive_slot_id: string; count: number }>(
    'select receive_slot_id, count(*)::int as count from created_scope where space_id = $1 group by 1',
    [spaceId],
  );
  const byScope = new Map<string, { name: string; value: string }[]>();
  for (const { scope_id, name, value } of attributes.rows) {
    const list = byScope.get(scope_id) ?? [];
    list.push({ name, value });
    byScope.set(scope_id, list);
  }
  const of = <T>(kind: string, make: (row: Row) => Record<string, unknown>) =>
    rows.filter((row) => row.kind === kind).map((row) => ({ ...row.body, ...make(row) }) as T);
  return {
    rules: of('rule', (row) => ({ ruleId: row.id, createdAt: row.created_at })),
    scopes: of('scope', (row) => ({ scopeId: row.id, attributes: byScope.get(row.id) ?? [] })),
    triggers: of('trigger', (row) => ({
      triggerId: row.id,
      scopeId: row.parent_id,
      createdAt: row.created_at,
    })),
    mutes: of('mute-schedule', (row) => ({ muteScheduleId: row.id, scopeId: row.parent_id })),
    runbooks: of('runbook', (row) => ({ runbookId: row.id })),
    slotRunbooks: slots.rows.map((row) => ({ receiveSlotId: row.id, runbookId: row.runbook_id })),
    createdScopeCounts: new Map(created.rows.map((row) => [row.receive_slot_id, row.count])),
    actions: of('action', (row) => ({ ...openBody(sealing, spaceId, action, row.body), actionId: row.id })),
    space: { spaceId, displayName: space.rows[0]?.display_name ?? '' },
  };
}
