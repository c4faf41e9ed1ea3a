// Loads and compiles the settings used for evaluation; caches them until they change.

import { action } from '@yagura/core/alerthub/action';
import {
  type CompiledConfig,
  type ConfigRows,
  compileConfig,
} from '@yagura/core/alerthub/engine/evaluation/compile-config';
import type { ChangeBus } from '../../db/change-bus.ts';
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

export class PipelineConfig {
  private readonly compiled = new Map<string, CompiledConfig>();
  /** Incremented on every change, so that settings loaded before a change are not cached after it. */
  private generation = 0;

  private readonly sealing: Sealing;

  constructor(changes: ChangeBus, sealing: Sealing) {
    this.sealing = sealing;
    changes.listen((list) => {
      for (const change of list) {
        // Evaluation itself announces scopes; only an edit of a scope changes its settings.
        if (!kinds.includes(change.resource) || change.state) continue;
        this.compiled.delete(change.spaceId);
        this.generation++;
      }
    });
  }

  forget(): void {
    this.compiled.clear();
    this.generation++;
  }

  async of(db: Queryable, spaceId: string): Promise<CompiledConfig> {
    const known = this.compiled.get(spaceId);
    if (known) return known;
    const { generation } = this;
    const config = compileConfig(await loadConfigRows(db, spaceId, this.sealing));
    if (generation === this.generation) this.compiled.set(spaceId, config);
    return config;
  }
}

interface Row {
  kind: string;
  id: string;
  parent_id: string | null;
  body: Record<string, unknown>;
  created_at: string;
}

/** Loads the stored settings of a space. */
export async function loadConfigRows(db: Queryable, spaceId: string, sealing: Sealing): Promise<ConfigRows> {
  const { rows } = await db.query<Row>(
    `select kind, id, parent_id, body, created_at from resource
     where space_id = $1 and kind in ('rule', 'scope', 'trigger', 'mute-schedule', 'action', 'runbook')`,
    [spaceId],
  );
  const attributes = await db.query<{ scope_id: string; name: string; value: string }>(
    'select scope_id, name, value from attribute where space_id = $1',
    [spaceId],
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
