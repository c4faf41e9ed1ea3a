// Ksocket slots: user settings, and whether an agent is connected to any replica.
import { Problem } from '@yagura/core/http/problem';
import { ksocketSlot } from '@yagura/core/ksocket/ksocket-slot';
import type { Behaviour } from '../resource/behaviour.ts';
import { findItem } from '../resource/item-store.ts';
import { bodyTable } from '../resource/list/table.ts';
import type { ResourceServices } from '../resource/request-context.ts';
import { heartbeatTimeoutSeconds } from './heartbeat.ts';
import type { KsocketHub } from './ksocket-hub.ts';

export interface KsocketServices extends ResourceServices {
  ksocket: KsocketHub;
}

export const ksocketSlotBehaviour: Behaviour<typeof ksocketSlot, KsocketServices> = {
  resource: ksocketSlot,
  table: bodyTable(ksocketSlot, {
    join: `left join ksocket_connection c on c.ksocket_slot_id = r.id and c.space_id = r.space_id
      and c.seen_at > {now} - interval '${heartbeatTimeoutSeconds} seconds'`,
    select: 'c.connected_at, c.agent_version',
    columns: {
      connection: {
        sql: "(case when c.connected_at is null then 'unconnected' else 'connected' end)",
        type: 'text',
      },
      connectedAt: { sql: 'c.connected_at', type: 'time' },
      agentVersion: { sql: 'c.agent_version', type: 'text' },
    },
    item: (row) => ({
      connection: row.connected_at ? 'connected' : 'unconnected',
      connectedAt: row.connected_at ?? null,
      agentVersion: row.agent_version ?? null,
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
