// Attributes of a scope.
import { attribute } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import { invalidParams } from '@yagura/core/validation/issue-messages';
import { z } from 'zod';
import { isoTime } from '../../common/clock.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import { assertParentVisible, findItem, lockParent, reloadItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';

const attributeTable = rowTable(attribute, {
  from: 'attribute a',
  alias: 'a',
  parent: 'scope_id',
  id: { sql: 'a.name', type: 'text' },
});

const nameSchema = z.object({ name: attribute.shape.shape.name });

export const attributeBehaviour: Behaviour<typeof attribute> = {
  resource: attribute,
  table: attributeTable,
  async lock(tx, context) {
    const { spaceId, params } = context;
    // The scope first, in the order of its deletion.
    await lockParent(tx, context, attribute);
    await tx.query('select 1 from attribute where space_id = $1 and scope_id = $2 and name = $3 for update', [
      spaceId,
      params.scopeId,
      params.name ?? '',
    ]);
  },
  async edit(tx, context, input, ifMatch) {
    const name = context.params.name ?? '';
    const parsed = nameSchema.safeParse({ name });
    if (!parsed.success)
      throw new Problem('invalid', { invalidParams: invalidParams(parsed.error, context.t) });
    // Its address names the item, so it is not trimmed like a name in a body.
    if (parsed.data.name !== name)
      throw new Problem('invalid', { invalidParams: [{ name: 'name', reason: context.t('rule.invalid') }] });
    const scopeId = (await assertParentVisible(tx, context, attribute))!;
    const before = await findItem(tx, context, attribute, attributeTable, name);
    if (before) checkMatch(ifMatch, before.version);
    else if (ifMatch !== undefined) throw new Problem('changed');
    await tx.query(
      `insert into attribute (space_id, scope_id, name, value, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
       on conflict (scope_id, name) do update set value = excluded.value, updated_at = excluded.updated_at`,
      [context.spaceId, scopeId, name, input.value, isoTime(context.services.clock.now())],
    );
    return {
      before: before?.item ?? null,
      after: await reloadItem(tx, context, attribute, attributeTable, name),
      onCommitted: () => announce(context, attribute, name, before ? 'update' : 'create'),
    };
  },
  async remove(tx, context) {
    const name = context.params.name ?? '';
    const scopeId = (await assertParentVisible(tx, context, attribute))!;
    const { rowCount } = await tx.query('delete from attribute where scope_id = $1 and name = $2', [
      scopeId,
      name,
    ]);
    if (rowCount === 0)
      throw new Problem('not-found', { detail: context.t('problem.no-attribute', { name }) });
    return () => announce(context, attribute, name, 'delete');
  },
};
