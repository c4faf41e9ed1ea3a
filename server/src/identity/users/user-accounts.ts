// Stores the users of a space and their passwords, and ends their sessions.
import { roleNames } from '@yagura/core/access/role-map';
import { Problem } from '@yagura/core/http/problem';
import { displayName } from '@yagura/core/resource/field';
import { z } from 'zod';
import { lockSpace } from '../../audit/lock-space.ts';
import { isoTime } from '../../common/clock.ts';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { Database, Queryable, Transaction } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { createOneTimeTokens, purposesEndedWithSessions } from '../tokens/one-time-tokens.ts';
import { checkNewPassword, hashPassword } from './password.ts';

export interface UserAccount {
  userId: string;
  email: string;
  displayName: string;
  privileged: boolean;
  roles: string[];
  disabled: boolean;
  hasPassword: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface UserAccountInput {
  email: string;
  displayName: string;
  privileged?: boolean;
  roles?: string[];
  disabled?: boolean;
}

export interface UserAccounts {
  /**
   * Throws 400 naming the field, and 409 when the user limit is reached; the unique index reports a taken address.
   * Without a password the user cannot sign in yet. `tx` is a transaction of the caller.
   */
  createUser(input: UserAccountInput & { password?: string }, tx?: Transaction): Promise<UserAccount>;
  /** Finds a user by id or by email address (case-insensitive). */
  findUser(by: string | { email: string }, db?: Queryable): Promise<UserAccount | null>;
  /**
   * Returns null when the user does not exist. Disabling ends every session and refuses every token of the
   * user; a new address ends the links mailed to the former one. Throws 409 when the last
   * privileged user would lose the privilege; the unique index reports a taken address. With a transaction of the caller,
   * call `clearPrincipalCache` after its commit.
   */
  updateUser(
    userId: string,
    change: Partial<UserAccountInput>,
    /** Called with the user as locked for the change; throwing aborts the change. */
    guard?: (before: UserAccount) => void,
    tx?: Transaction,
  ): Promise<UserAccount | null>;
  /**
   * Deletes the user with their sessions, tokens and memberships. Returns false when there is none; throws
   * 409 for the last privileged user. With a transaction of the caller, call `clearPrincipalCache` after its commit.
   */
  removeUser(userId: string, tx?: Transaction): Promise<boolean>;
  /**
   * Sets the password, forgets the browsers of the user and ends what `endSessions` ends, in a transaction that
   * `runTransaction` opens. Returns false when the user does not exist. `prepare` runs before it in the same
   * transaction, with the user locked; returning false leaves everything as it was.
   */
  setPassword(
    userId: string,
    password: string,
    prepare?: (tx: Transaction) => Promise<boolean>,
    runTransaction?: Database['transaction'],
  ): Promise<boolean>;
  /** Same as `endSessions` within the caller's transaction; call `clearPrincipalCache` after the commit. */
  endSessionsIn(tx: Queryable, userId: string): Promise<void>;
  /**
   * Ends every session and access token of the user, every sign-in under way, and every mailed link and pending
   * request that somebody with a session may have made, in a transaction that `runTransaction` opens. API tokens and
   * links that restore an address stay valid.
   */
  endSessions(userId: string, runTransaction: Database['transaction']): Promise<void>;
}

const shape = z.object({
  email: z.email().max(254),
  displayName: displayName(100),
  privileged: z.boolean().default(false),
  roles: z.array(z.enum(roleNames)).max(roleNames.length).default([]),
  disabled: z.boolean().default(false),
});
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const columns = `user_id as "userId", email, display_name as "displayName", privileged, roles, disabled,
  password_hash is not null as "hasPassword", created_at as "createdAt", updated_at as "updatedAt"`;

export function createUserAccounts(
  context: Pick<
    IdentityContext,
    'database' | 'clock' | 'nextId' | 'spaceId' | 'maxUsers' | 'clearPrincipalCache'
  >,
): UserAccounts {
  const { database, clock, nextId, spaceId, maxUsers, clearPrincipalCache } = context;
  const now = () => isoTime(clock.now());
  const tokens = createOneTimeTokens(context);

  async function endSessionsIn(tx: Queryable, userId: string): Promise<void> {
    await tx.query('update person set token_epoch = token_epoch + 1 where space_id = $1 and user_id = $2', [
      spaceId,
      userId,
    ]);
    await tx.query(`delete from oidc_payload where space_id = $1 and payload->>'accountId' = $2`, [
      spaceId,
      userId,
    ]);
    // Sign-ins under way whose password or account was taken already: they would be completed afterwards.
    await tx.query(
      `delete from oidc_payload where space_id = $1 and model = 'Interaction'
         and $2 in (payload #>> '{result,login,accountId}', payload #>> '{result,second,userId}')`,
      [spaceId, userId],
    );
    await tokens.revoke(tx, userId, purposesEndedWithSessions);
  }

  return {
    endSessionsIn,

    async createUser({ password, ...input }, tx) {
      const person = parseOrThrow(shape, input);
      if (password !== undefined) await checkNewPassword(password, [person.email, person.displayName]);
      const passwordHash = password === undefined ? null : await hashPassword(password);
      const insert = async (db: Transaction) => {
        if (maxUsers !== null && !(await hasRoomForUser(db, spaceId, maxUsers)))
          throw new TranslatableProblem('conflict', translatable('users.plan-limit', { count: maxUsers }));
        return db.query<UserAccount>(
          `insert into person (user_id, space_id, email, display_name, password_hash, privileged, roles, disabled, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning ${columns}`,
          [
            nextId(),
            spaceId,
            person.email,
            person.displayName,
            passwordHash,
            person.privileged,
            person.roles,
            person.disabled,
            now(),
          ],
        );
      };
      const { rows } = await (tx ? insert(tx) : database.transaction(insert));
      return rows[0]!;
    },

    async findUser(by, db = database) {
      const byId = typeof by === 'string';
      if (byId && !uuid.test(by)) return null;
      const { rows } = await db.query<UserAccount>(
        `select ${columns} from person where space_id = $1 and ${byId ? 'user_id = $2' : 'lower(email) = lower($2)'}`,
        [spaceId, byId ? by : by.email.trim()],
      );
      return rows[0] ?? null;
    },

    async updateUser(userId, change, guard, tx) {
      if (!uuid.test(userId)) return null;
      const checked = parseOrThrow(shape.partial(), change);
      const changedNames = Object.keys(change).filter(
        (name) => change[name as keyof UserAccountInput] !== undefined,
      );
      const update = async (tx: Transaction) => {
        // Serialize changes to users; otherwise two administrators could each remove the other's privileges
        // at once.
        await lockSpace(tx, spaceId);
        const found = await tx.query<UserAccount>(
          `select ${columns} from person where space_id = $1 and user_id = $2 for update`,
          [spaceId, userId],
        );
        const before = found.rows[0];
        if (!before) return null;
        guard?.(before);
        const after = { ...before, ...pick(checked, changedNames) };
        const losesPower = before.privileged && !before.disabled && (!after.privileged || after.disabled);
        if (losesPower) await assertNotLastPrivileged(tx, spaceId, userId);
        const { rows } = await tx.query<UserAccount>(
          `update person set email = $3, display_name = $4, privileged = $5, roles = $6, disabled = $7, updated_at = $8
           where space_id = $1 and user_id = $2 returning ${columns}`,
          [
            spaceId,
            userId,
            after.email,
            after.displayName,
            after.privileged,
            after.roles,
            after.disabled,
            now(),
          ],
        );
        if (after.email.toLowerCase() !== before.email.toLowerCase())
          await tokens.revoke(tx, userId, ['change-password', 'change-email']);
        if (after.disabled && !before.disabled) await endSessionsIn(tx, userId);
        return rows[0]!;
      };
      if (tx) return update(tx);
      const person = await database.transaction(update);
      clearPrincipalCache();
      return person;
    },

    async removeUser(userId, outer) {
      if (!uuid.test(userId)) return false;
      const remove = async (tx: Transaction) => {
        await lockSpace(tx, spaceId);
        const { rows } = await tx.query<{ privileged: boolean }>(
          'select privileged from person where space_id = $1 and user_id = $2 for update',
          [spaceId, userId],
        );
        if (!rows[0]) return false;
        if (rows[0].privileged) await assertNotLastPrivileged(tx, spaceId, userId);
        await endSessionsIn(tx, userId);
        await tx.query('delete from person where space_id = $1 and user_id = $2', [spaceId, userId]);
        return true;
      };
      if (outer) return remove(outer);
      const removed = await database.transaction(remove);
      clearPrincipalCache();
      return removed;
    },

    async setPassword(userId, password, prepare, runTransaction = (work) => database.transaction(work)) {
      if (!uuid.test(userId)) return false;
      await checkNewPassword(password);
      const passwordHash = await hashPassword(password);
      const done = await runTransaction(async (tx) => {
        await tx.query('select 1 from person where space_id = $1 and user_id = $2 for update', [
          spaceId,
          userId,
        ]);
        if (prepare && !(await prepare(tx))) return false;
        const { rowCount } = await tx.query(
          'update person set password_hash = $3, updated_at = $4 where space_id = $1 and user_id = $2',
          [spaceId, userId, passwordHash, now()],
        );
        if (rowCount === 0) return false;
        await endSessionsIn(tx, userId);
        for (const table of ['known_device', 'remembered_browser'])
          await tx.query(`delete from ${table} where space_id = $1 and user_id = $2`, [spaceId, userId]);
        return true;
      });
      clearPrincipalCache();
      return done;
    },

    async endSessions(userId, runTransaction) {
      if (!uuid.test(userId)) return;
      await runTransaction((tx) => endSessionsIn(tx, userId));
      clearPrincipalCache();
    },
  };
}

async function assertNotLastPrivileged(tx: Queryable, spaceId: string, userId: string): Promise<void> {
  const { rows } = await tx.query(
    'select 1 from person where space_id = $1 and user_id <> $2 and privileged and not disabled limit 1',
    [spaceId, userId],
  );
  if (rows.length === 0) throw new TranslatableProblem('conflict', translatable('users.last-privileged'));
}

/** Whether the price plan, with its limit if it has one, allows one more user; a row lock serializes additions. */
export async function hasRoomForUser(tx: Queryable, spaceId: string, max: number | null): Promise<boolean> {
  if (max === null) return true;
  await lockSpace(tx, spaceId);
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from person where space_id = $1',
    [spaceId],
  );
  return rows[0]!.count < max;
}

/** Validates the value with the schema; throws a 400 naming every invalid field. */
export function parseOrThrow<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const invalidParams = result.error.issues.map(({ path, message }) => ({
    name: path.join('.'),
    reason: message,
  }));
  throw new Problem('invalid', { invalidParams });
}

/** True for a unique violation (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && (error as Error & { code?: unknown }).code === '23505';
}

function pick<T extends object>(value: T, names: string[]): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) as Partial<T>;
}
