// Users: listed and changed by permitted callers, never beyond their own permissions.

import { resourceNamed } from '@yagura/core/all';
import { Problem } from '@yagura/core/http/problem';
import { user } from '@yagura/core/space/user';
import { userGroup } from '@yagura/core/space/user-group';
import { lockSpace } from '../../audit/lock-space.ts';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import type { MailOutbox } from '../../delivery/mail-outbox/mail-outbox.ts';
import type { Identity } from '../../identity/identity.ts';
import { allRoles, inheritedRoles } from '../../identity/users/inherited-roles.ts';
import type { UserAccountInput } from '../../identity/users/user-accounts.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import { findItem, reloadItem, type StoredItem } from '../../resource/item-store.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { rowTable, type Table } from '../../resource/list/table.ts';
import { listItems } from '../../resource/list-items.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { assertMayChangeRoles, assertMayGrant } from '../check-role-grants.ts';
import { userGroupTable } from './user-group-behaviour.ts';

export interface UserServices extends ResourceServices {
  identity: Identity;
  mail: MailOutbox;
}

export const userTable = rowTable(user, {
  from: `person p left join lateral (
    select t.facts->>'email' as email from one_time_token t where t.space_id = p.space_id and t.user_id = p.user_id
      and t.purpose = 'change-email' and t.used_at is null and t.expires_at > {now} limit 1) pending on true`,
  alias: 'p',
  without: ['pendingEmail'],
  select: 'pending.email as pending_email',
  item: (row) => ({ pendingEmail: row.pending_email ?? null }),
});

/** The user in the path. Throws 404. */
export async function presentUser(
  context: RequestContext,
  db: Queryable = context.services.database,
): Promise<StoredItem> {
  const found = await findItem(db, context, user, userTable, context.params.userId ?? '');
  if (!found) throw itemNotFound(context, user);
  return found;
}

/**
 * Only privileged callers may change or delete a privileged user; otherwise a new address could be used to
 * take over the account.
 */
export function mayChangeUser({ principal, t }: RequestContext, { item }: StoredItem): void {
  if (!item.privileged || principal.claims.privileged) return;
  throw new Problem('forbidden', { detail: t('users.privileged-change') });
}

function toInput(input: Record<string, unknown>): UserAccountInput {
  const { displayName, email, roles, disabled } = input as unknown as UserAccountInput;
  return { displayName, email, roles: [...new Set(roles)], disabled };
}

/** Throws a 403 naming the field unless the caller holds all own and inherited roles of the user. */
async function assertHoldsRolesOf(
  db: Queryable,
  context: RequestContext,
  { item }: StoredItem,
  field: 'email' | 'disabled',
): Promise<void> {
  const { rows } = await db.query<{ roles: string[] }>(
    `select ${inheritedRoles('p')} as roles from person p where p.space_id = $1 and p.user_id = $2`,
    [context.spaceId, item.userId],
  );
  assertMayGrant(context, allRoles(item.roles as string[], rows[0]?.roles ?? []), field);
}

/**
 * Whoever reads the mail of an address can reset its account's password. Callers therefore cannot change the
 * address of an account with more permissions than their own, and when mail cannot confirm the address, only
 * privileged callers can change it.
 */
async function checkNewAddress(
  db: Queryable,
  context: RequestContext<UserServices>,
  person: StoredItem,
): Promise<void> {
  const { services, principal, t } = context;
  await assertHoldsRolesOf(db, context, person, 'email');
  const isOwn = person.item.userId === principal.userId;
  if (services.mail.canSend ? !isOwn : principal.claims.privileged) return;
  // The caller's own address is changed in the profile, which asks for the password.
  const reason = t(services.mail.canSend ? 'users.own-address' : 'users.no-mail');
  throw new Problem('forbidden', { detail: reason, invalidParams: [{ name: 'email', reason }] });
}

/** Throws unless the caller may make this change. A new address counts once it is confirmed, where mail can be sent. */
async function checkEdit(
  db: Queryable,
  context: RequestContext<UserServices>,
  input: Record<string, unknown>,
  ifMatch: string | undefined,
) {
  const before = await presentUser(context, db);
  checkMatch(ifMatch, before.version);
  mayChangeUser(context, before);
  if (input.disabled && context.params.userId === context.principal.userId)
    throw new Problem('conflict', { detail: context.t('users.not-yourself') });
  const { email, ...change } = toInput(input);
  const isNew = email.toLowerCase() !== String(before.item.email).toLowerCase();
  if (isNew) await checkNewAddress(db, context, before);
  // Gives back everything that the user may do.
  if (before.item.disabled && !change.disabled) await assertHoldsRolesOf(db, context, before, 'disabled');
  const guard = ({ roles }: { roles: unknown }) =>
    assertMayChangeRoles(context, roles as string[], change.roles ?? []);
  guard(before.item as { roles: unknown });
  return { before, guard, email, change, asksForConfirmation: isNew && context.services.mail.canSend };
}

/** Mails the link by which the new address is confirmed. Throws 409 naming `email` when another user has it. */
async function askForConfirmation(
  tx: Transaction,
  { services, language, principal, t }: RequestContext<UserServices>,
  userId: string,
  email: string,
): Promise<void> {
  const change = { email, language, by: principal.displayName };
  if (await services.identity.queueEmailChange(tx, userId, change)) return;
  throw new Problem('conflict', {
    title: t('refusal.title.exists'),
    invalidParams: [{ name: 'email', reason: t('card.taken') }],
  });
}

const destinationsOfUser = `select from_id from reference
  where space_id = $1 and to_kind = 'user' and to_id = $2::uuid and from_kind = 'destination'`;

/** Locks the destinations before the user, in the order of an edit of a destination, which locks its members. */
async function lockDestinations(tx: Queryable, spaceId: string, userId: string): Promise<void> {
  await tx.query(
    `select 1 from resource where space_id = $1 and kind = 'destination' and id in (${destinationsOfUser})
     order by id for update`,
    [spaceId, userId],
  );
}

/**
 * Removes a deleted user from the members of destinations, which could not be saved otherwise. Returns the ids of the
 * destinations.
 */
async function leaveDestinations(
  tx: Queryable,
  { spaceId, services }: RequestContext,
  userId: string,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `update resource set body = jsonb_set(body, '{members,userIds}', (body #> '{members,userIds}') - $2::text),
       version = version + 1, updated_at = $3
     where space_id = $1 and kind = 'destination' and id in (${destinationsOfUser})
     returning id`,
    [spaceId, userId, isoTime(services.clock.now())],
  );
  await tx.query(`delete from reference where space_id = $1 and to_kind = 'user' and to_id = $2`, [
    spaceId,
    userId,
  ]);
  return rows.map(({ id }) => id);
}

export const userBehaviour: Behaviour<typeof user, UserServices> = {
  resource: user,
  table: userTable,
  lock: (tx, { spaceId }) => lockSpace(tx, spaceId),
  async create(tx, context, input) {
    assertMayGrant(context, input.roles);
    const { userId } = await context.services.identity.createUser(toInput(input), tx);
    const { item } = await reloadItem(tx, context, user, userTable, userId);
    return { item, onCommitted: () => announce(context, user, userId, 'create') };
  },
  async beforeEdit(context, input, ifMatch) {
    const { database, identity } = context.services;
    const { asksForConfirmation, email } = await checkEdit(database, context, input, ifMatch);
    // Requests are counted, also those of an edit that fails.
    if (asksForConfirmation)
      await identity.countEmailChange(context.params.userId!, { email, language: context.language });
  },
  async edit(tx, context, input, ifMatch) {
    // Checked again, in case something has changed meanwhile.
    const { before, asksForConfirmation, guard, email, change } = await checkEdit(
      tx,
      context,
      input,
      ifMatch,
    );
    const userId = context.params.userId!;
    const { identity, mail } = context.services;
    if (asksForConfirmation) await askForConfirmation(tx, context, userId, email);
    await identity.updateUser(userId, { ...change, ...(asksForConfirmation ? {} : { email }) }, guard, tx);
    return {
      before: before.item,
      after: await presentUser(context, tx),
      onCommitted() {
        identity.clearPrincipalCache();
        if (asksForConfirmation) mail.wake();
        announce(context, user, userId, 'update');
      },
    };
  },
  async remove(tx, context) {
    mayChangeUser(context, await presentUser(context, tx));
    const { userId } = context.params;
    if (userId === context.principal.userId)
      throw new Problem('conflict', { detail: context.t('users.not-yourself') });
    const { identity } = context.services;
    await lockDestinations(tx, context.spaceId, userId!);
    if (!(await identity.removeUser(userId!, tx))) throw itemNotFound(context, user);
    const destinationIds = await leaveDestinations(tx, context, userId!);
    return () => {
      identity.clearPrincipalCache();
      announce(context, user, userId!, 'delete');
      for (const id of destinationIds) announce(context, resourceNamed('destination'), id, 'update');
    };
  },
  calls: {
    async 'user-groups'(context) {
      await presentUser(context);
      const request = readListQuery(userGroup, context.query, context.t);
      return listItems(context, userGroup, groupsOf(context.params.userId!), request);
    },
  },
};

function groupsOf(userId: string): Table {
  if (!isUuid(userId)) throw new Problem('not-found');
  return {
    ...userGroupTable,
    where: `${userGroupTable.where} and r.id in (select user_group_id from user_group_member where user_id = '${userId}')`,
  };
}
