// Ksocket slots: user settings, and whether an agent is connected to any replica.
import { agentProtocols } from '@yagura/core/ksocket/agent-protocol';
import { ksocketSlot } from '@yagura/core/ksocket/ksocket-slot';
import type { Behaviour } from '../resource/behaviour.ts';
import { itemNotFound } from '../resource/item-not-found.ts';
import { findItem } from '../resource/item-store.ts';
import { bodyTable } from '../resource/list/table.ts';
import type { ResourceServices } from '../resource/request-context.ts';
import { conflictShownSeconds } from './connection-store.ts';
import { heartbeatTimeoutSeconds } from './heartbeat.ts';
import type { KsocketHub } from './ksocket-hub.ts';

export interface KsocketServices extends ResourceServices {
  ksocket: KsocketHub;
}

const latestProtocol = Math.max(...agentProtocols);

const agentStateSql = `(case when c.is_conflict then 'conflict' when c.agent_version is null then null
  when c.protocol < ${latestProtocol} then 'old' else 'current' end)`;

/** What the agent has told in its hello; nothing before that. */
function agentDetails(row: Record<string, unknown>) {
  if (typeof row.agent_version !== 'string')
    return { agentProtocol: null, capabilities: [], clockOffset: null };
  return {
    agentProtocol: row.protocol,
    capabilities: row.capabilities,
    clockOffset: row.clock_offset ?? null,
  };
}

export const ksocketSlotBehaviour: Behaviour<typeof ksocketSlot, KsocketServices> = {
  resource: ksocketSlot,
  table: bodyTable(ksocketSlot, {
    join: `left join lateral (
      select k.*, k.conflict_at is not null and k.conflict_at > {now} - interval '${conflictShownSeconds} seconds' as is_conflict
      from ksocket_connection k where k.ksocket_slot_id = r.id and k.space_id = r.space_id
        and k.seen_at > {now} - interval '${heartbeatTimeoutSeconds} seconds'
    ) c on true`,
    select: `c.connected_at, c.agent_version, c.protocol, c.capabilities, c.clock_offset, ${agentStateSql} as agent_state,
      case when c.is_conflict then c.replaced_address end as conflict_address`,
    columns: {
      connection: {
        sql: "(case when c.connected_at is null then 'unconnected' else 'connected' end)",
        type: 'text',
      },
      connectedAt: { sql: 'c.connected_at', type: 'time' },
      agentVersion: { sql: 'c.agent_version', type: 'text' },
      agentState: {
        sql: agentStateSql,
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
      agentState: row.agent_state ?? null,
      // Written out for the caller below.
      agentWarning: row.conflict_address ?? null,
      ...agentDetails(row),
    }),
  }),
  present: (context, item) => ({
    ...item,
    agentWarning:
      item.agentWarning === null
        ? null
        : context.t('ksocket.several-agents', { address: String(item.agentWarning) }),
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
      if (!found) throw itemNotFound(context, ksocketSlot);
      const { connection } = found.item;
      return { connected: connection === 'connected', connection };
    },
  },
};
