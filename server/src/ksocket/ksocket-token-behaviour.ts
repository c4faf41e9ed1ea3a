// Tokens with which agents connect to a Ksocket slot.
import { randomBytes } from 'node:crypto';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { ksocketSlot } from '@yagura/core/ksocket/ksocket-slot';
import { ksocketToken, maxTokensPerSlot } from '@yagura/core/ksocket/ksocket-token';
import { isoTime } from '../common/clock.ts';
import { isUuid } from '../common/id.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { itemNotFound } from '../resource/item-not-found.ts';
import { announce } from '../resource/item-operations.ts';
import { assertParentVisible, reloadItem } from '../resource/item-store.ts';
import { rowTable } from '../resource/list/table.ts';
import type { KsocketServices } from './ksocket-slot-behaviour.ts';
import { hashToken } from './token-hash.ts';

const tokenTable = rowTable(ksocketToken, {
  from: 'ksocket_token t',
  alias: 't',
  parent: 'ksocket_slot_id',
  without: ['token', 'id'],
  item: (row) => ({ id: row.ksocket_token_id }),
});

export const ksocketTokenBehaviour: Behaviour<typeof ksocketToken, KsocketServices> = {
  resource: ksocketToken,
  table: tokenTable,
  async create(tx, context, input) {
    const { clock, nextId } = context.services;
    const now = clock.now();
    const { expiresAt } = input;
    if (expiresAt !== null && Date.parse(expiresAt) <= now) {
      throw invalidField('expiresAt', context.t('rule.future'));
    }
    const token = `kst_${randomBytes(32).toString('base64url')}`;
    const id = nextId();
    const slotId = (await assertParentVisible(tx, context, ksocketToken))!;
    // Lock the slot's row, so that concurrent requests cannot create more than two tokens.
    const slots = await tx.query(
      `select 1 from resource where space_id = $1 and kind = 'ksocket-slot' and id = $2 for update`,
      [context.spaceId, slotId],
    );
    if (slots.rows.length === 0) throw itemNotFound(context, ksocketSlot);
    const { rows } = await tx.query<{ count: number }>(
      'select count(*)::int as count from ksocket_token where space_id = $1 and ksocket_slot_id = $2',
      [context.spaceId, slotId],
    );
    if (rows[0]!.count >= maxTokensPerSlot) {
      throw new Problem('conflict', {
        detail: context.t('ksocket.most-tokens', { count: maxTokensPerSlot }),
      });
    }
    await tx.query(
      `insert into ksocket_token (ksocket_token_id, space_id, ksocket_slot_id, display_name, token_hash, expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [id, context.spaceId, slotId, input.displayName, hashToken(token), expiresAt, isoTime(now)],
    );
    const { item } = await reloadItem(tx, context, ksocketToken, tokenTable, id);
    return {
      item: { ...item, token },
      onCommitted: () => announce(context, ksocketToken, id, 'create'),
    };
  },
  async remove(tx, context) {
    const id = context.params.ksocketTokenId;
    const slotId = await assertParentVisible(tx, context, ksocketToken);
    const { rowCount } = isUuid(id)
      ? await tx.query(
          'delete from ksocket_token where space_id = $1 and ksocket_slot_id = $2 and ksocket_token_id = $3',
          [context.spaceId, slotId, id],
        )
      : { rowCount: 0 };
    if (rowCount === 0) throw itemNotFound(context, ksocketToken);
    await context.services.ksocket.disconnect(tx, { ksocketTokenId: id! });
    return () => announce(context, ksocketToken, id!, 'delete');
  },
};
