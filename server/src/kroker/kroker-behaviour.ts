// Krokers: user settings are in `resource`, the state reported by the machine in `kroker_state`.
import { gatewayTimeoutMs } from '@yagura/core/greac/stream/gateway-protocol';
import { kroker } from '@yagura/core/kroker/kroker';
import type { Behaviour } from '../resource/behaviour.ts';
import { bodyTable } from '../resource/list/table.ts';

/** Seconds since the last check-in for which a machine counts as connected. */
const checkInTimeoutSeconds = 120;

export const krokerBehaviour: Behaviour<typeof kroker> = {
  resource: kroker,
  table: bodyTable(kroker, {
    join: `left join lateral (
      select k.*, k.last_connected_at > {now} - make_interval(secs => ${checkInTimeoutSeconds}) and (k.gateway_version is null or exists (
          select 1 from kroker_connection c where c.kroker_id = k.kroker_id and c.seen_at > {now} - make_interval(secs => ${gatewayTimeoutMs / 1000})
        )) as heard
      from kroker_state k where k.kroker_id = r.id
    ) s on true`,
    select: 's.public_key, s.thumbprint, s.heard, s.last_connected_at, s.gateway_version',
    columns: {
      connectionState: {
        sql: `(case when s.heard then 'connected' else 'unconnected' end)`,
        type: 'text',
      },
      thumbprint: { sql: 's.thumbprint', type: 'text' },
      lastConnectedAt: { sql: 's.last_connected_at', type: 'time' },
      gatewayVersion: { sql: 's.gateway_version', type: 'text' },
    },
    item: (row) => ({
      connectionState: row.heard ? 'connected' : 'unconnected',
      publicKey: row.public_key ?? null,
      thumbprint: row.thumbprint ?? null,
      lastConnectedAt: row.last_connected_at ?? null,
      gatewayVersion: row.gateway_version ?? null,
    }),
  }),
  async afterRemove(tx, context, id) {
    await tx.query('delete from kroker_log where space_id = $1 and kroker_id = $2', [context.spaceId, id]);
    await tx.query('delete from kroker_setup where space_id = $1 and kroker_id = $2', [context.spaceId, id]);
    await tx.query('delete from kroker_notice where space_id = $1 and kroker_id = $2', [context.spaceId, id]);
    await tx.query('delete from kroker_state where space_id = $1 and kroker_id = $2', [context.spaceId, id]);
  },
};
