// Maps an external account to a user of the space: by existing link, by email address, or as a new user.
import { Problem } from '@yagura/core/http/problem';
import { lockSpace } from '../../audit/lock-space.ts';
import { isoTime } from '../../common/clock.ts';
import type { Transaction } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { VerifiedUser } from '../sign-in/verify-credentials.ts';
import { type InviterRow, inviterColumns, mayStillInvite } from '../users/inviter.ts';
import {
  hasRoomForUser,
  isUniqueViolation,
  type UserAccount,
  type UserAccounts,
} from '../users/user-accounts.ts';
import type { ExternalIdentity } from './mapped-claims.ts';

/**
 * `link`: a user of the space has this address and must prove that both accounts are theirs. `unknown`:
 * neither a user nor invited. `no-address`: the provider tells no address. `unverified`: it does not confirm the
 * address. `full`: the price plan's user limit is reached.
 */
export type AccountResolution =
  | ({ state: 'in' } & VerifiedUser)
  | { state: 'link'; userId: string }
  | { state: 'unknown' | 'no-address' | 'unverified' | 'full' | 'disabled' };

/** What the provider has changed in the space, for the audit log. */
export interface AccountChange {
  action: 'create' | 'edit' | 'link-account';
  userId: string;
  before?: object;
  after?: object;
}

interface PersonRow extends VerifiedUser {
  disabled: boolean;
  guarded: boolean;
}

/** Finds or creates the user and updates the privileges managed by the provider. `record` takes what has changed. */
export async function resolveAccount(
  context: IdentityContext,
  users: UserAccounts,
  identity: ExternalIdentity,
  { createUsers, record }: { createUsers: boolean; record: (change: AccountChange) => void },
): Promise<AccountResolution> {
  const committed: AccountChange[] = [];
  const resolve = () =>
    context.database.transaction(async (tx) => {
      // A transaction that is rolled back has changed nothing.
      committed.length = 0;
      // Serializes admissions, so that two tabs of a new user create only one.
      await lockSpace(tx, context.spaceId);
      return (
        (await findLinkedUser(context, tx, identity)) ??
        (await resolveNewUser(context, tx, identity, {
          createUsers,
          record: (change) => void committed.push(change),
        }))
      );
    });
  const resolution = await resolve()
    // Somebody else was giving the address to a user at that moment, whom the second try finds.
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) return resolve();
      throw error;
    })
    .catch((error: unknown): AccountResolution => {
      if (error instanceof SpaceFull) return { state: 'full' };
      throw error;
    });
  if (resolution.state !== 'in') return resolution;
  for (const change of committed) record(change);
  await applyClaims(context, users, { userId: resolution.userId, identity, record });
  return resolution;
}

/** Links a provider account to a user who has proven that both are theirs. */
export async function linkAccount(
  { clock, spaceId }: IdentityContext,
  tx: Transaction,
  account: { issuer: string; subject: string; userId: string },
): Promise<void> {
  await tx.query(
    `insert into person_link (space_id, issuer, subject, user_id, created_at, last_used_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (space_id, issuer, subject) do update set user_id = excluded.user_id, created_at = excluded.created_at`,
    [spaceId, account.issuer, account.subject, account.userId, isoTime(clock.now())],
  );
}

async function findLinkedUser(
  { clock, spaceId }: IdentityContext,
  tx: Transaction,
  { issuer, subject }: ExternalIdentity,
): Promise<AccountResolution | null> {
  const { rows } = await tx.query<VerifiedUser & { disabled: boolean }>(
    `update person_link l set last_used_at = $4 from person p
     where l.space_id = $1 and l.issuer = $2 and l.subject = $3 and p.space_id = l.space_id and p.user_id = l.user_id
     returning p.user_id as "userId", p.token_epoch as epoch, p.disabled`,
    [spaceId, issuer, subject, isoTime(clock.now())],
  );
  if (!rows[0]) return null;
  const { disabled, ...user } = rows[0];
  return disabled ? { state: 'disabled' } : { state: 'in', ...user };
}

async function resolveNewUser(
  context: IdentityContext,
  tx: Transaction,
  identity: ExternalIdentity,
  options: Parameters<typeof resolveAccount>[3],
): Promise<AccountResolution> {
  const { spaceId } = context;
  const { email, emailVerified, issuer, subject } = identity;
  if (email === null) return { state: 'no-address' };
  const { rows } = await tx.query<PersonRow>(
    `select p.user_id as "userId", p.token_epoch as epoch, p.disabled,
       (p.password_hash is not null
         or exists (select 1 from passkey k where k.space_id = p.space_id and k.user_id = p.user_id)
         or exists (select 1 from person_link l where l.space_id = p.space_id and l.user_id = p.user_id)) as guarded
     from person p where p.space_id = $1 and lower(p.email) = lower($2)`,
    [spaceId, email],
  );
  const [person] = rows;
  if (person?.disabled) return { state: 'disabled' };
  // A user with credentials of their own must authenticate first: a matching address alone must not take over
  // an account.
  if (person?.guarded) return { state: 'link', userId: person.userId };
  if (!emailVerified) return { state: 'unverified' };
  if (person) {
    const { userId, epoch } = person;
    await linkAccount(context, tx, { issuer, subject, userId });
    options.record({ action: 'link-account', userId });
    return { state: 'in', userId, epoch };
  }
  return createUserFor(context, tx, { ...identity, email }, options);
}

async function createUserFor(
  context: IdentityContext,
  tx: Transaction,
  identity: ExternalIdentity & { email: string },
  { createUsers, record }: Parameters<typeof resolveAccount>[3],
): Promise<AccountResolution> {
  const { spaceId, clock, nextId, maxUsers } = context;
  const { email, displayName, issuer, subject } = identity;
  const now = isoTime(clock.now());
  const { rows } = await tx.query<InviterRow & { invitationId: string; roles: string[] }>(
    `select i.invitation_id as "invitationId", i.roles, ${inviterColumns('p')}
     from invitation i left join person p on p.user_id = i.invited_by
     where i.space_id = $1 and lower(i.email) = lower($2) and i.accepted_at is null and i.expires_at > $3
     for update of i`,
    [spaceId, email, now],
  );
  const invitation = rows.find((row) => mayStillInvite(row, row.roles));
  if (!invitation && !createUsers) return { state: 'unknown' };
  if (invitation)
    await tx.query('update invitation set accepted_at = $3 where space_id = $1 and invitation_id = $2', [
      spaceId,
      invitation.invitationId,
      now,
    ]);
  // Rolls back the acceptance, so that the invitation stays open.
  if (!(await hasRoomForUser(tx, spaceId, maxUsers))) throw new SpaceFull();
  const userId = nextId();
  const roles = invitation?.roles ?? [];
  const name = displayName ?? email;
  const made = await tx.query<VerifiedUser>(
    `insert into person (user_id, space_id, email, display_name, roles, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) returning user_id as "userId", token_epoch as epoch`,
    [userId, spaceId, email, name, roles, now],
  );
  await linkAccount(context, tx, { issuer, subject, userId });
  record({ action: 'create', userId, after: { email, displayName: name, privileged: false, roles } });
  return { state: 'in', ...made.rows[0]! };
}

/** The space has reached its user limit. */
class SpaceFull extends Error {}

/**
 * The last privileged user keeps the privilege regardless of the provider, so that the space can still be
 * administered.
 */
async function applyClaims(
  { log }: IdentityContext,
  users: UserAccounts,
  options: { userId: string; identity: ExternalIdentity; record: (change: AccountChange) => void },
): Promise<void> {
  const { userId, identity, record } = options;
  const { privileged, roles } = identity;
  if (privileged === undefined && roles === undefined) return;
  const person = await users.findUser(userId);
  if (!person) return;
  const privilegesOf = ({ privileged, roles }: Pick<UserAccount, 'privileged' | 'roles'>) => ({
    privileged,
    roles,
  });
  const same =
    (privileged ?? person.privileged) === person.privileged &&
    (roles ?? person.roles).join() === person.roles.join();
  if (same) return;
  const update = async (change: { privileged?: boolean; roles?: string[] }) => {
    const changed = await users.updateUser(userId, change);
    if (changed)
      record({ action: 'edit', userId, before: privilegesOf(person), after: privilegesOf(changed) });
  };
  try {
    await update({
      ...(privileged === undefined ? {} : { privileged }),
      ...(roles === undefined ? {} : { roles }),
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'conflict') throw error;
    log({ level: 'warn', message: 'The provider would take away the last privileged user; kept', userId });
    if (roles !== undefined && roles.join() !== person.roles.join()) await update({ roles });
  }
}
