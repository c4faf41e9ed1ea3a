// Ksocket slots and their tokens: user settings, and whether an agent is connected to any replica.

import { randomBytes } from 'node:crypto';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { agentProtocols } from '@yagura/core/ksocket/agent-protocol';
import { ksocketSlot } from '@yagura/core/ksocket/ksocket-slot';
import { ksocketToken, maxTokensPerSlot } from '@yagura/core/ksocket/ksocket-token';
import { isoTime } from '../common/clock.ts';
import { isUuid } from '../common/id.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { announce, mapUniqueViolation } from '../resource/item-operations.ts';
import { assertParentVisible, findItem, reloadItem } from '../resource/item-store.ts';
import { bodyTable, rowTable } from '../resource/list/table.ts';
import type { ResourceServices } from '../resource/request-context.ts';
import { heartbeatTimeoutSeconds } from './heartbeat.ts';
import type { KsocketHub } from './ksocket-hub.ts';
import { hashToken } from './token-hash.ts';

export interface KsocketServices extends ResourceServices {
  ksocket: KsocketHub;
}

const latestProtocol = Math.max(...agentProtocols);

/** What the agent has told in its hello; nothing before that. */
function agentDetails(row: Record<string, unknown>) {
  if (typeof row.agent_version !== 'string')
    return { agentState: null, agentProtocol: null, capabilities: [], clockOffset: null };
  const protocol = row.protocol as number;
  return {
    agentState: protocol < latestProtocol ? 'old' : 'current',
    agentProtocol: protocol,
    capabilities: row.capabilities,
    clockOffset: row.clock_offset ?? null,
  };
}

export const ksocketSlotBehaviour: Behaviour<typeof ksocketSlot, KsocketServices> = {
  resource: ksocketSlot,
  table: bodyTable(ksocketSlot, {
    join: `left join ksocket_connection c on c.ksocket_slot_id = r.id and c.space_id = r.space_id
      and c.seen_at > {now} - interval '${heartbeatTimeoutSeconds} seconds'`,
    select: 'c.connected_at, c.agent_version, c.protocol, c.capabilities, c.clock_offset',
    columns: {
      connection: {
        sql: "(case when c.connected_at is null then 'unconnected' else 'connected' end)",
        type: 'text',
      },
      connectedAt: { sql: 'c.connected_at', type: 'time' },
      agentVersion: { sql: 'c.agent_version', type: 'text' },
      agentState: {
        sql: `(case when c.agent_version is null then null when c.protocol < ${latestProtocol} then 'old' else 'current' end)`,
        type: 'text',
      },
      agentProtocol: {
        sql: 'case when c.agent_version is null then null else c.protocol end',
        type: 'number',
      },
      clockOffset: { sql: 'c.clock_offset', type: 'number' },
    },
    item: (row) => ({
      connection: row.connected_at ? 'connected' : 'unconnected',
      connectedAt: row.connected_at ?? null,
      agentVersion: row.agent_version ?? null,
      ...agentDetails(row),
    }),
  }),
  async afterRemove(tx, context, id) {
    await tx.query('delete from ksocket_token where space_id = $1 and ksocket_slot_id = $2', [
      context.spaceId,
      id,
    ]);
    await context.services.ksocket.disconnect(tx, { ksocketSlotId: id });
  },
  calls: {
    async connected(context) {
      const { database } = context.services;
      const id = context.params.ksocketSlotId ?? '';
      const found = await findItem(database, context, ksocketSlot, ksocketSlotBehaviour.table!, id);
      if (!found) throw new Problem('not-found', { detail: 'no Ksocket has this id' });
      const { connection } = found.item;
      return { connected: connection === 'connected', connection };
    },
  },
};

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
  async create(context, input) {
    const { database, clock, nextId } = context.services;
    const now = clock.now();
    const { expiresAt } = input;
    if (expiresAt !== null && Date.parse(expiresAt) <= now) {
      throw invalidField('expiresAt', context.t('rule.future'));
    }
    const token = `kst_${randomBytes(32).toString('base64url')}`;
    const id = nextId();
    const stored = await mapUniqueViolation(context, () =>
      database.transaction(async (tx) => {
        const slotId = (await assertParentVisible(tx, context, ksocketToken))!;
        // Lock the slot's row, so that concurrent requests cannot create more than two tokens.
        await tx.query(
          `select 1 from resource where space_id = $1 and kind = 'ksocket-slot' and id = $2 for update`,
          [context.spaceId, slotId],
        );
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
        return reloadItem(tx, context, ksocketToken, tokenTable, id);
      }),
    );
    announce(context, ksocketToken, id, 'create');
    return { ...stored.item, token };
  },
  async remove(context) {
    const { database, ksocket } = context.services;
    const id = context.params.ksocketTokenId;
    const removed = await database.transaction(async (tx) => {
      const slotId = await assertParentVisible(tx, context, ksocketToken);
      if (!isUuid(id)) return false;
      const { rowCount } = await tx.query(
        'delete from ksocket_token where space_id = $1 and ksocket_slot_id = $2 and ksocket_token_id = $3',
        [context.spaceId, slotId, id],
      );
      if (rowCount > 0) await ksocket.disconnect(tx, { ksocketTokenId: id });
      return rowCount > 0;
    });
    if (!removed) throw new Problem('not-found', { detail: 'no Ksocket token has this id' });
    announce(context, ksocketToken, id!, 'delete');
  },
};
