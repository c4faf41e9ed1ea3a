// Passkeys of the current user.
import { passkey } from '@yagura/core/space/passkey';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Queryable } from '../../db/database.ts';
import type { Proof } from '../../identity/sign-in/reauthentication.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce, checkMatch, mapUniqueViolation, takenValue } from '../../resource/item-operations.ts';
import { findItem, type StoredItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import type { SignInServices } from './mfa-behaviour.ts';

const passkeyTable = rowTable(passkey, { from: 'passkey k', alias: 'k' });

export const passkeyBehaviour: Behaviour<typeof passkey, SignInServices> = {
  resource: passkey,
  table: passkeyTable,
  rowFilter: (context, sql) => `k.user_id = ${sql.value(context.principal.userId, 'uuid')}`,
  async lock(tx, context) {
    await tx.query(
      'select 1 from passkey where space_id = $1 and user_id = $2 and passkey_id = $3 for update',
      [context.spaceId, context.principal.userId, passkeyId(context)],
    );
  },
  async edit(tx, context, input, ifMatch) {
    const { spaceId, principal, services } = context;
    const id = passkeyId(context);
    const before = await showPasskey(tx, context, id);
    checkMatch(ifMatch, before.version);
    const { rowCount } = await tx.query(
      'update passkey set display_name = $4, updated_at = $5 where space_id = $1 and user_id = $2 and passkey_id = $3',
      [spaceId, principal.userId, id, input.displayName, isoTime(services.clock.now())],
    );
    if (rowCount === 0) throw itemNotFound(context, passkey);
    return {
      before: before.item,
      after: await showPasskey(tx, context, id),
      onCommitted: () => announce(context, passkey, principal.userId, 'update'),
    };
  },
  calls: {
    async prepare(context, { displayName, ...proof }) {
      const { identity } = context.services;
      if (displayName !== undefined) await refuseTakenName(context, displayName);
      // A passkey alone can sign in, so without the second step here, knowing the password would be enough to
      // bypass it.
      await identity.reauthenticate(context.principal, proof as Proof, context.t, { factors: true });
      return identity.passkeys.creationOptions(context.principal);
    },
    async register(context, made) {
      const { identity, mail } = context.services;
      const { userId } = context.principal;
      const notice = { passkey: made.displayName };
      const id = await mapUniqueViolation(context, () =>
        identity.passkeys.register(userId, made, context.t('factor.wrong-response'), (insert) =>
          context.transaction(async (tx) => {
            const inserted = await insert(tx);
            await identity.notifySecurityChange(userId, 'passkey-added', context.language, notice, tx);
            return inserted;
          }),
        ),
      );
      mail.wake();
      announce(context, passkey, context.principal.userId, 'create');
      return (await showPasskey(context.services.database, context, id)).item;
    },
    async remove(context, body) {
      const { identity, mail } = context.services;
      const { userId } = context.principal;
      const id = passkeyId(context);
      await identity.reauthenticate(context.principal, body as Proof, context.t, { factors: true });
      await context.transaction(async (tx) => {
        const { rows } = await tx.query<{ name: string }>(
          'delete from passkey where space_id = $1 and user_id = $2 and passkey_id = $3 returning display_name as name',
          [context.spaceId, userId, id],
        );
        if (!rows[0]) throw itemNotFound(context, passkey);
        const notice = { passkey: rows[0].name };
        await identity.notifySecurityChange(userId, 'passkey-removed', context.language, notice, tx);
      });
      mail.wake();
      announce(context, passkey, userId, 'delete');
    },
  },
};

async function refuseTakenName(context: RequestContext, name: string): Promise<void> {
  const { rows } = await context.services.database.query(
    'select 1 from passkey where space_id = $1 and user_id = $2 and lower(display_name) = lower($3)',
    [context.spaceId, context.principal.userId, name],
  );
  if (rows.length > 0) throw takenValue(context, 'displayName');
}

function passkeyId(context: RequestContext): string {
  const id = context.params.passkeyId;
  if (!isUuid(id)) throw itemNotFound(context, passkey);
  return id;
}

async function showPasskey(db: Queryable, context: RequestContext, id: string): Promise<StoredItem> {
  const found = await findItem(db, context, passkey, passkeyTable, id);
  if (!found) throw itemNotFound(context, passkey);
  return found;
}
