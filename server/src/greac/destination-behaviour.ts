// Destinations: validation beyond the form's schema, and visibility limited to members.
import { destination } from '@yagura/core/greac/destination';
import { defaultPorts, type Protocol } from '@yagura/core/greac/session-parameters';
import { Problem } from '@yagura/core/http/problem';
import type { Queryable } from '../db/database.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import type { RequestContext } from '../resource/request-context.ts';
import { narrowDestinations } from './narrow-by-membership.ts';

type Body = Record<string, unknown>;

export const destinationBehaviour: Behaviour<typeof destination> = {
  resource: destination,
  rowFilter: narrowDestinations,
  body(_context, input) {
    const { members, ...rest } = input as { members: Record<string, string[]>; protocol: Protocol } & Body;
    const once = Object.entries(members).map(([kind, ids]) => [kind, [...new Set(ids)]]);
    return { ...rest, port: rest.port ?? defaultPorts[rest.protocol], members: Object.fromEntries(once) };
  },
  async afterWrite(tx, context, _id, body) {
    const wrong = await foreignCredentials(tx, context, body);
    if (wrong.length > 0) throw new Problem('invalid', { invalidParams: wrong });
  },
  async afterRemove(tx, context, id) {
    const { rows } = await tx.query<{ opened: number }>(
      `select count(*)::int as opened from greac_session where space_id = $1 and destination_id = $2 and status = 'opened'`,
      [context.spaceId, id],
    );
    const { opened } = rows[0]!;
    if (opened > 0)
      throw new Problem('conflict', {
        title: context.t('refusal.title.in-use'),
        detail: context.t('refusal.open-sessions', { count: opened }),
      });
  },
};

/** Credentials that belong to another Kroker, or that are given without a Kroker. */
async function foreignCredentials(tx: Queryable, context: RequestContext, body: Body) {
  const fileTransfer = body.fileTransfer as { credentialId: string | null };
  const named = [
    { name: 'credentialId', id: body.credentialId as string | null },
    { name: 'fileTransfer.credentialId', id: fileTransfer.credentialId },
  ].filter(({ id }) => id !== null);
  if (named.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(
    `select id from resource where space_id = $1 and kind = 'credential' and parent_id = $2 and id = any($3::uuid[])`,
    [context.spaceId, body.krokerId, named.map(({ id }) => id)],
  );
  const held = new Set(rows.map((row) => row.id));
  const reason = context.t('greac.not-of-kroker');
  return named.filter(({ id }) => !held.has(id!)).map(({ name }) => ({ name, reason }));
}
