// Slows down guessing of passwords: per account name and per network address, growing, kept over restarts.
import ipaddr from 'ipaddr.js';
import { isoTime } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import type { IdentityContext } from './context.ts';

/** Free failures, then a wait that doubles with each further one. Times in milliseconds. */
export const attemptLimits = {
  account: { free: 5 },
  address: { free: 30 },
  firstWait: 30_000,
  longestWait: 900_000,
  forgottenAfter: 3_600_000,
};

export interface Attempt {
  /** Milliseconds to wait before this attempt may be made; 0: it may be made now and counts as failed until it succeeds. */
  wait: number;
  /** Milliseconds that the next attempt will have to wait if this one fails. */
  waitAfterFailure: number;
  /** Call when the password was right. */
  succeeded(): Promise<void>;
}

export interface AttemptLimit {
  /** Counts an attempt before the password is looked at, so that guesses made at once all count. */
  begin(account: string, address: string): Promise<Attempt>;
  /** Deletes what no longer matters. */
  sweep(): Promise<void>;
}

type Kind = 'account' | 'address';
interface Row {
  kind: Kind;
  failures: number;
  failedAt: string;
  lockedUntil: string | null;
}

export function createAttemptLimit({
  database,
  clock,
  spaceId,
  secret,
}: Pick<IdentityContext, 'database' | 'clock' | 'spaceId' | 'secret'>): AttemptLimit {
  const subjectsOf = (account: string, address: string): Record<Kind, Buffer> => ({
    account: secret.keyedHash(`account ${account.trim().toLowerCase()}`),
    address: secret.keyedHash(`address ${networkOf(address)}`),
  });

  async function lockRows(tx: Queryable, subjects: Record<Kind, Buffer>): Promise<Row[]> {
    const values = [spaceId, subjects.account, subjects.address];
    await tx.query(
      `insert into signin_attempt (space_id, kind, subject, failures, failed_at)
       values ($1, 'account', $2, 0, $4), ($1, 'address', $3, 0, $4) on conflict do nothing`,
      [...values, isoTime(clock.now())],
    );
    const { rows } = await tx.query<Row>(
      `select kind, failures, failed_at as "failedAt", locked_until as "lockedUntil" from signin_attempt
       where space_id = $1 and ((kind = 'account' and subject = $2) or (kind = 'address' and subject = $3))
       order by kind for update`,
      values,
    );
    return rows;
  }

  async function count(tx: Queryable, row: Row, subject: Buffer): Promise<number> {
    const now = clock.now();
    const forgotten = Date.parse(row.failedAt) + attemptLimits.forgottenAfter <= now;
    const failures = (forgotten ? 0 : row.failures) + 1;
    const wait = waitAfter(failures, attemptLimits[row.kind].free);
    await tx.query(
      `update signin_attempt set failures = $4, failed_at = $5, locked_until = $6
       where space_id = $1 and kind = $2 and subject = $3`,
      [spaceId, row.kind, subject, failures, isoTime(now), wait > 0 ? isoTime(now + wait) : null],
    );
    return wait;
  }

  return {
    async begin(account, address) {
      const subjects = subjectsOf(account, address);
      return database.transaction(async (tx) => {
        const rows = await lockRows(tx, subjects);
        const wait = Math.max(
          0,
          ...rows.map((row) => Date.parse(row.lockedUntil ?? '1970-01-01') - clock.now()),
        );
        if (wait > 0) return { wait, waitAfterFailure: wait, succeeded: async () => {} };
        let waitAfterFailure = 0;
        for (const row of rows)
          waitAfterFailure = Math.max(waitAfterFailure, await count(tx, row, subjects[row.kind]));
        return { wait: 0, waitAfterFailure, succeeded: () => clear(subjects) };
      });
    },

    async sweep() {
      const now = clock.now();
      await database.query(
        'delete from signin_attempt where space_id = $1 and failed_at < $2 and (locked_until is null or locked_until < $3)',
        [spaceId, isoTime(now - attemptLimits.forgottenAfter), isoTime(now)],
      );
    },
  };

  // The account starts anew; of the address only this attempt is taken back, or whoever owns one account could
  // go on guessing others by signing in between.
  async function clear(subjects: Record<Kind, Buffer>): Promise<void> {
    await database.query(
      `delete from signin_attempt where space_id = $1 and kind = 'account' and subject = $2`,
      [spaceId, subjects.account],
    );
    await database.query(
      `update signin_attempt set failures = greatest(failures - 1, 0), locked_until = null
       where space_id = $1 and kind = 'address' and subject = $2`,
      [spaceId, subjects.address],
    );
  }
}

function waitAfter(failures: number, free: number): number {
  if (failures < free) return 0;
  return Math.min(attemptLimits.firstWait * 2 ** (failures - free), attemptLimits.longestWait);
}

/** The address itself for IPv4; for IPv6 its /64, of which one customer has all. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString();
}
