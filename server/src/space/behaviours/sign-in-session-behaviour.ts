// Sign-ins of the current user.
import { signInSession } from '@yagura/core/space/sign-in-session';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Proof } from '../../identity/sign-in/reauthentication.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import type { SignInServices } from './mfa-behaviour.ts';

export const signInSessionBehaviour: Behaviour<typeof signInSession, SignInServices> = {
  resource: signInSession,
  table: rowTable(signInSession, {
    from: `sign_in_session s
      join oidc_payload g on g.space_id = s.space_id and g.model = 'Grant' and g.id = s.grant_id
      left join lateral (
        select max(to_timestamp((r.payload->>'iat')::bigint)) as at from oidc_payload r
        where r.space_id = s.space_id and r.grant_id = s.grant_id and r.model = 'RefreshToken') used on true`,
    alias: 's',
    without: ['current', 'lastUsedAt'],
    select: 's.grant_id, greatest(used.at, s.created_at) as last_used_at',
    item: (row) => ({ lastUsedAt: row.last_used_at, grantId: row.grant_id }),
  }),
  rowFilter(context, sql) {
    const { clock } = context.services;
    return `s.user_id = ${sql.value(context.principal.userId, 'uuid')} and g.expires_at > ${sql.value(isoTime(clock.now()))}::timestamptz`;
  },
  present({ principal }, { grantId, ...item }) {
    return { ...item, current: grantId === principal.grantId };
  },
  calls: {
    async end(context, body) {
      const id = context.params.signInSessionId;
      const { identity } = context.services;
      await guard(context, body as Proof);
      const notFound = () => itemNotFound(context, signInSession);
      if (!isUuid(id)) throw notFound();
      await identity.signInSessions.end(context.principal.userId, id, (end) =>
        context.transaction(async (tx) => {
          const ended = await end(tx);
          // Nothing is recorded then.
          if (!ended) throw notFound();
          return ended;
        }),
      );
      announce(context, signInSession, context.principal.userId, 'delete');
    },
    async 'end-all'(context, body) {
      await guard(context, body as Proof);
      await context.services.identity.endSessions(context.principal.userId, context.transaction);
      announce(context, signInSession, context.principal.userId, 'delete');
    },
  },
};

/** Users with a second step must re-authenticate before ending sign-ins (ASVS 5.0, 7.5.2). */
async function guard(
  { services, principal, t }: RequestContext<SignInServices>,
  proof: Proof,
): Promise<void> {
  const { identity } = services;
  if (await identity.totp.isEnabled(principal.userId)) await identity.reauthenticate(principal, proof, t);
}
