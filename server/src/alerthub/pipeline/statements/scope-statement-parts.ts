// Statement parts that write the scopes that rules of a batch have created, and troubles of their slots.
import type { BatchResult } from '@yagura/core/alerthub/engine/execution/batch';
import type { CreatedScope } from '@yagura/core/alerthub/engine/execution/config-extension';
import { maxCreatedScopes } from '@yagura/core/alerthub/engine/execution/create-scope';
import { scope as scopeResource } from '@yagura/core/alerthub/scope';
import { RowColumns } from '../../../db/binary-array.ts';
import { toStoreJson } from '../../../db/store-json.ts';
import { uniqueKey } from '../../../resource/item-store.ts';
import { type StatementPart, statementPart } from './statement-part.ts';

/** The row of a created scope as the API would store it. */
function bodyOf({ scope }: CreatedScope): Record<string, unknown> {
  const { displayName, remarks, thresholds, recoveryTime } = scope.source;
  return { displayName, remarks, thresholds, recoveryTime };
}

const createdScopes = statementPart<CreatedScope>(
  'v',
  ({ result }) => result.createdScopes,
  new RowColumns({
    scope_id: ['uuid', ({ scope }) => scope.source.scopeId],
    unique_key: ['text', (created) => uniqueKey(scopeResource, bodyOf(created))],
    body: ['jsonb', (created) => toStoreJson(bodyOf(created))],
    attributes: ['jsonb', ({ scope }) => toStoreJson(Object.fromEntries(scope.attributes))],
    receive_slot_id: ['uuid', (created) => created.receiveSlotId],
    rule_id: ['uuid', (created) => created.ruleId],
  }),
  (x) => `
    scopes_created as (
      insert into resource (space_id, kind, id, unique_key, body, created_at, updated_at)
      select g.space_id, 'scope', x.scope_id, x.unique_key, x.body, g.now, g.now from given g, ${x}
    ), scopes_attributed as (
      insert into attribute (space_id, scope_id, name, value, created_at, updated_at)
      select g.space_id, x.scope_id, a.key, a.value, g.now, g.now
      from given g, ${x}, jsonb_each_text(x.attributes) as a(key, value)
    ), scopes_counted as (
      insert into created_scope (scope_id, space_id, receive_slot_id, rule_id)
      select x.scope_id, g.space_id, x.receive_slot_id, x.rule_id from given g, ${x}
    )`,
);

/** One unreported trouble per slot is enough. */
const fullSlots = statementPart<{ troubleId: string; receiveSlotId: string }>(
  'x',
  ({ result, nextId }) => result.fullSlots.map((receiveSlotId) => ({ troubleId: nextId(), receiveSlotId })),
  new RowColumns({
    trouble_id: ['uuid', (row) => row.troubleId],
    receive_slot_id: ['uuid', (row) => row.receiveSlotId],
    reason: ['jsonb', () => toStoreJson({ word: 'notice.scopes', params: { most: maxCreatedScopes } })],
  }),
  (x) => `
    slots_full as (
      insert into trouble (trouble_id, space_id, kind, subject_id, reason, created_at)
      select x.trouble_id, g.space_id, 'scopes', x.receive_slot_id, x.reason, g.now from given g, ${x}
      where not exists (
        select 1 from trouble t where t.space_id = g.space_id and t.subject_id = x.receive_slot_id
          and t.kind = 'scopes' and t.noticed_at is null
      )
    )`,
);

export const scopeStatementParts: readonly StatementPart[] = [createdScopes, fullSlots];

/** Whether the statement failed because a scope with the display name of a created one exists by now. */
export function isScopeConflict({ result }: { result: BatchResult }, error: unknown): boolean {
  const { code, constraint } = Object(error) as { code?: string; constraint?: string };
  return result.createdScopes.length > 0 && code === '23505' && constraint === 'resource_unique';
}
