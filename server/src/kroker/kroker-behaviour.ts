// Krokers: what a person set lies in `resource`, what the machine told of itself in `kroker_state`.
import { kroker } from '@yagura/core/kroker/kroker';
import type { Behaviour } from '../resource/behaviour.ts';
import { bodyTable } from '../resource/table.ts';

export const krokerBehaviour: Behaviour = {
  resource: kroker,
  table: bodyTable(kroker, {
    join: 'left join kroker_state s on s.kroker_id = r.id',
    select: 's.public_key, s.thumbprint, s.connected, s.last_connected_at',
    columns: {
      connectionState: {
        sql: `(case when s.connected then 'connected' else 'unconnected' end)`,
        type: 'text',
      },
      thumbprint: { sql: 's.thumbprint', type: 'text' },
      lastConnectedAt: { sql: 's.last_connected_at', type: 'time' },
    },
    item: (row) => ({
      connectionState: row.connected ? 'connected' : 'unconnected',
      publicKey: row.public_key ?? null,
      thumbprint: row.thumbprint ?? null,
      lastConnectedAt: row.last_connected_at ?? null,
    }),
  }),
  async removed(tx, context, id) {
    await tx.query('delete from kroker_log where space_id = $1 and kroker_id = $2', [context.spaceId, id]);
    await tx.query('delete from kroker_setup where space_id = $1 and kroker_id = $2', [context.spaceId, id]);
    await tx.query('delete from kroker_state where space_id = $1 and kroker_id = $2', [context.spaceId, id]);
  },
};
