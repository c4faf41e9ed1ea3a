// Sign-in security of the caller: two-step verification, passkeys and active sign-ins.

import { Problem } from '@yagura/core/http/problem';
import { mfa } from '@yagura/core/space/mfa';
import { passkey } from '@yagura/core/space/passkey';
import { signInSession } from '@yagura/core/space/sign-in-session';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Proof } from '../../identity/sign-in/reauthentication.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch, mapUniqueViolation } from '../../resource/item-operations.ts';
import { findItem, type StoredItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';

export interface SignInServices extends ResourceServices {
  identity: Identity;
}

export const mfaBehaviour: Behaviour<typeof mfa, SignInServices> = {
  resource: mfa,
  show: showMfa,
  async edit(context, input, ifMatch) {
    const { identity } = context.services;
    const { userId } = context.principal;
    const before = await showMfa(context);
    checkMatch(ifMatch, before.version);
    if (input.enabled) {
      const codes = await identity.totp.enable(
        userId,
        String(input.code ?? ''),
        context.t('factor.wrong-code'),
      );
      await identity.notifySecurityChange(userId, 'mfa-on', context.language);
      announce(context, mfa, userId, 'update');
      const after = await showMfa(context);
      return { ...after, item: { ...after.item, recoveryCodes: codes } };
    }
    await identity.reauthenticate(context.principal, input, context.t, { factors: true });
    if (await identity.totp.disable(userId)) {
      await identity.notifySecurityChange(userId, 'mfa-off', context.language);
      announce(context, mfa, userId, 'update');
    }
    return showMfa(context);
  },
  calls: {
    async prepare(context, body) {
      const { identity } = context.services;
      const { userId, email } = context.principal;
      await identity.reauthenticate(context.principal, body as Proof, context.t);
      return identity.totp.prepare(userId, email);
    },
    async 'regenerate-recovery-code'(context, body) {
      const { identity } = context.services;
      const { userId } = context.principal;
      await identity.reauthenticate(context.principal, body as Proof, context.t, { factors: true });
      const recoveryCodes = await identity.totp.regenerate(userId);
      await identity.notifySecurityChange(userId, 'recovery-codes', context.language);
      announce(context, mfa, userId, 'update');
      return { recoveryCodes };
    },
    async 'invalidate-remember-browser'(context) {
      await context.services.identity.totp.forgetBrowsers(context.principal.userId);
      announce(context, mfa, context.principal.userId, 'update');
    },
  },
};

async function showMfa(context: RequestContext<SignInServices>): Promise<StoredItem> {
  const { userId, grantId } = context.principal;
  const { identity } = context.services;
  const [state, person, proof] = await Promise.all([
    identity.totp.state(userId),
    identity.findUser(userId),
    grantId === undefined ? null : identity.signInSessions.proof(userId, grantId),
  ]);
  const hasPassword = person?.hasPassword ?? false;
  const proved = { provedUntil: proof?.until ?? null, provedBySecondStep: proof?.strong ?? false };
  return { version: JSON.stringify(state), item: { userId, ...state, hasPassword, ...proved } };
}

const passkeyTable = rowTable(passkey, { from: 'passkey k', alias: 'k' });

export const passkeyBehaviour: Behaviour<typeof passkey, SignInServices> = {
  resource: passkey,
  table: passkeyTable,
  rowFilter: (context, sql) => `k.user_id = ${sql.value(context.principal.userId, 'uuid')}`,
  async edit(context, input) {
    const { database, clock } = context.services;
    const id = passkeyId(context);
    const { rowCount } = await mapUniqueViolation(context, () =>
      database.query(
        'update passkey set display_name = $4, updated_at = $5 where space_id = $1 and user_id = $2 and passkey_id = $3',
        [context.spaceId, context.principal.userId, id, input.displayName, isoTime(clock.now())],
      ),
    );
    if (rowCount === 0) throw noPasskey();
    announce(context, passkey, context.principal.userId, 'update');
    return showPasskey(context, id);
  },
  calls: {
    async prepare(context, body) {
      const { identity } = context.services;
      // A passkey alone can sign in, so without the second step here, knowing the password would be enough to
      // bypass it.
      await identity.reauthenticate(context.principal, body as Proof, context.t, { factors: true });
      return identity.passkeys.creationOptions(context.principal);
    },
    async register(context, made) {
      const { identity } = context.services;
      const { userId } = context.principal;
      const id = await mapUniqueViolation(context, () =>
        identity.passkeys.register(userId, made, context.t('factor.wrong-response')),
      );
      await identity.notifySecurityChange(userId, 'passkey-added', context.language, {
        passkey: made.displayName,
      });
      announce(context, passkey, context.principal.userId, 'create');
      return (await showPasskey(context, id)).item;
    },
    async remove(context, body) {
      const { database, identity } = context.services;
      const { userId } = context.principal;
      const id = passkeyId(context);
      await identity.reauthenticate(context.principal, body as Proof, context.t, { factors: true });
      const { rows } = await database.query<{ name: string }>(
        'delete from passkey where space_id = $1 and user_id = $2 and passkey_id = $3 returning display_name as name',
        [context.spaceId, userId, id],
      );
      if (!rows[0]) throw noPasskey();
      await identity.notifySecurityChange(userId, 'passkey-removed', context.language, {
        passkey: rows[0].name,
      });
      announce(context, passkey, userId, 'delete');
    },
  },
};

function passkeyId(context: RequestContext): string {
  const id = context.params.passkeyId;
  if (!isUuid(id)) throw noPasskey();
  return id;
}

async function showPasskey(context: RequestContext, id: string): Promise<StoredItem> {
  const found = await findItem(context.services.database, context, passkey, passkeyTable, id);
  if (!found) throw noPasskey();
  return found;
}

function noPasskey(): Problem {
  return new Problem('not-found', { detail: 'no passkey has this id' });
}

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
      const ended = isUuid(id) && (await identity.signInSessions.end(context.principal.userId, id));
      if (!ended) throw new Problem('not-found', { detail: 'no sign-in has this id' });
      announce(context, signInSession, context.principal.userId, 'delete');
    },
    async 'end-all'(context, body) {
      await guard(context, body as Proof);
      await context.services.identity.endSessions(context.principal.userId);
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
