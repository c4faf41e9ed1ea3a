// Rate limits guessing of passwords and codes without letting others lock out the owner of an account.
import { isoTime } from '../../common/clock.ts';
import { networkPrefixOf } from '../../common/network-prefix.ts';
import type { Queryable } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { foldEmailCase } from '../users/email-case.ts';

/**
 * Free failures, then a wait that doubles with each further failure; one failure is forgotten every
 * `forgetEvery`. Times in milliseconds.
 */
export interface AttemptBudget {
  freeFailures: number;
  firstWaitMs: number;
  maxWaitMs: number;
  forgetIntervalMs: number;
}

const quarterHour = 900_000;
const slowBudget = (freeFailures: number): AttemptBudget => ({
  freeFailures,
  firstWaitMs: 30_000,
  maxWaitMs: quarterHour,
  forgetIntervalMs: quarterHour,
});

/** What is being guessed. Each purpose has its own budgets; some share the budget of the network address. */
export type AttemptPurpose =
  | 'password'
  | 'second-step'
  | 'proof'
  | 'passkey'
  | 'device-code'
  | 'device-request'
  | 'sign-in-request'
  | 'reset-mail';

interface PurposeBudgets {
  /** For a known device on its own account; the other budgets do not count it. */
  device?: AttemptBudget;
  /** For one account from one network address (or from one sign-in). */
  pair?: AttemptBudget;
  /** For one account from all unknown devices together. */
  account?: AttemptBudget;
  /** For one network address on all accounts together. */
  address?: AttemptBudget;
}

/** Thirty users behind one address with occasional typos stay far below this. */
const addressBudget: AttemptBudget = {
  freeFailures: 300,
  firstWaitMs: 2_000,
  maxWaitMs: 30_000,
  forgetIntervalMs: 30_000,
};

export const attemptBudgets: Record<AttemptPurpose, PurposeBudgets> = {
  password: {
    device: slowBudget(5),
    pair: slowBudget(5),
    account: { freeFailures: 30, firstWaitMs: 5_000, maxWaitMs: 180_000, forgetIntervalMs: 180_000 },
    address: addressBudget,
  },
  'second-step': {
    device: slowBudget(5),
    pair: slowBudget(5),
    account: slowBudget(10),
    address: addressBudget,
  },
  /** Re-authentication of a signed-in user: password or code. */
  proof: { pair: slowBudget(5), account: slowBudget(10) },
  /** Signatures cannot be guessed; this limits the cost of verifying them. */
  passkey: { address: addressBudget },
  'device-code': {
    address: { freeFailures: 30, firstWaitMs: 10_000, maxWaitMs: 120_000, forgetIntervalMs: 120_000 },
  },
  /** Every request counts: each is a database row for ten minutes. */
  'device-request': {
    address: { freeFailures: 60, firstWaitMs: 5_000, maxWaitMs: 20_000, forgetIntervalMs: 20_000 },
  },
  /** Every request counts: each is a database row for an hour. */
  'sign-in-request': {
    address: { freeFailures: 600, firstWaitMs: 2_000, maxWaitMs: 30_000, forgetIntervalMs: 2_000 },
  },
  /**
   * Every request counts, so that a mailbox cannot be flooded. A link is valid for an hour, so the latest one
   * always works.
   */
  'reset-mail': {
    device: slowBudget(5),
    account: slowBudget(5),
    address: { freeFailures: 60, firstWaitMs: 10_000, maxWaitMs: 60_000, forgetIntervalMs: 60_000 },
  },
};

export interface AttemptSubject {
  purpose: AttemptPurpose;
  /** Email address or id of the account; absent when none is given. */
  account?: string;
  /** Network address, or another key that distinguishes callers. */
  address: string;
  /** The device, when it is known to belong to the account. */
  device?: string | undefined;
}

export interface Attempt {
  /**
   * Milliseconds to wait before this attempt is allowed; 0: it is allowed now and counts as failed until it
   * succeeds.
   */
  wait: number;
  /** Milliseconds that the next attempt must wait if this one fails. */
  waitAfterFailure: number;
  /** Call after a correct password. */
  succeeded(): Promise<void>;
}

export interface AttemptLimit {
  /**
   * Counts an attempt before the password is checked, so that concurrent guesses all count. A delayed attempt
   * is not counted.
   */
  begin(subject: AttemptSubject): Promise<Attempt>;
  /** Clears all failures of an account for one purpose, whoever caused them. */
  clear(db: Queryable, purpose: AttemptPurpose, account: string): Promise<void>;
  /** Deletes rows that no longer have an effect. */
  sweep(): Promise<void>;
}

type Kind = keyof PurposeBudgets;

interface Row {
  kind: string;
  emptyAt: string;
  waitUntil: string | null;
}

interface BudgetEntry {
  kind: string;
  subject: Buffer;
  account: Buffer | null;
  budget: AttemptBudget;
  /** Cleared completely after a success; otherwise only this attempt is subtracted. */
  clears: boolean;
}

export function createAttemptLimit({
  database,
  clock,
  spaceId,
  secret,
}: Pick<IdentityContext, 'database' | 'clock' | 'spaceId' | 'secret'>): AttemptLimit {
  const accountHash = (purpose: AttemptPurpose, account: string) =>
    secret.keyedHash(`account ${purpose} ${foldEmailCase(account.trim())}`);

  /** The rows that count an attempt, in locking order. */
  function linesOf({ purpose, account: name, address: from, device }: AttemptSubject): BudgetEntry[] {
    const own = attemptBudgets[purpose];
    const account = name === undefined ? null : accountHash(purpose, name);
    const network = networkPrefixOf(from);
    const line = (kind: Kind, text: string, budget: AttemptBudget, clears: boolean): BudgetEntry => {
      // Purposes that share a budget share one row.
      const shared = kind === 'address' && budget === addressBudget;
      return {
        kind: shared ? kind : `${purpose} ${kind}`,
        subject: secret.keyedHash(`${kind} ${text}`),
        account: kind === 'address' ? null : account,
        budget,
        clears,
      };
    };
    const key = account?.toString('hex') ?? '';
    if (device !== undefined && own.device) return [line('device', `${key} ${device}`, own.device, true)];
    const lines: BudgetEntry[] = [];
    if (own.account && account) lines.push(line('account', key, own.account, false));
    if (own.address) lines.push(line('address', network, own.address, false));
    if (own.pair && account) lines.push(line('pair', `${key} ${network}`, own.pair, true));
    return lines.sort((one, other) => (one.kind < other.kind ? -1 : 1));
  }

  /** Locks one row, inserting it when missing. */
  async function lock(tx: Queryable, { kind, subject, account }: BudgetEntry): Promise<Row> {
    const { rows } = await tx.query<Row>(
      `insert into signin_budget (space_id, kind, subject, account, empty_at) values ($1, $2, $3, $4, $5)
       on conflict (space_id, kind, subject) do update set account = excluded.account
       returning kind, empty_at as "emptyAt", wait_until as "waitUntil"`,
      [spaceId, kind, subject, account, isoTime(clock.now())],
    );
    return rows[0]!;
  }

  /** A longer wait than there is was set while the clock was ahead; it must not lock anybody out. */
  function remainingWait({ waitUntil }: Row, { maxWaitMs }: AttemptBudget): number {
    const wait = waitUntil === null ? 0 : Date.parse(waitUntil) - clock.now();
    return wait > maxWaitMs ? 0 : wait;
  }

  async function count(tx: Queryable, row: Row, { kind, subject, budget }: BudgetEntry): Promise<number> {
    const now = clock.now();
    const full = now + maxFailures(budget) * budget.forgetIntervalMs;
    const emptyAt = Math.min(Math.max(now, Date.parse(row.emptyAt)) + budget.forgetIntervalMs, full);
    const wait = waitAfter((emptyAt - now) / budget.forgetIntervalMs, budget);
    await tx.query(
      `update signin_budget set empty_at = $4, wait_until = $5 where space_id = $1 and kind = $2 and subject = $3`,
      [spaceId, kind, subject, isoTime(emptyAt), wait > 0 ? isoTime(now + wait) : null],
    );
    return wait;
  }

  // Clears the budgets of one device or one address on one account. Shared budgets only get this attempt
  // back; otherwise the owner of one account could keep guessing others by signing in in between.
  async function takeBack(lines: readonly BudgetEntry[]): Promise<void> {
    await database.transaction(async (tx) => {
      for (const { kind, subject, budget, clears } of lines) {
        const values = [spaceId, kind, subject];
        if (clears)
          await tx.query(
            'delete from signin_budget where space_id = $1 and kind = $2 and subject = $3',
            values,
          );
        else
          await tx.query(
            `update signin_budget set empty_at = empty_at - make_interval(secs => $4), wait_until = null
             where space_id = $1 and kind = $2 and subject = $3`,
            [...values, budget.forgetIntervalMs / 1000],
          );
      }
    });
  }

  return {
    begin: (subject) => {
      const lines = linesOf(subject);
      return database.transaction(async (tx) => {
        const rows: Row[] = [];
        for (const line of lines) rows.push(await lock(tx, line));
        const waits = rows.map((row, index) => remainingWait(row, lines[index]!.budget));
        const wait = Math.max(0, ...waits);
        if (wait > 0) return { wait, waitAfterFailure: wait, succeeded: async () => {} };
        let waitAfterFailure = 0;
        for (const [at, line] of lines.entries())
          waitAfterFailure = Math.max(waitAfterFailure, await count(tx, rows[at]!, line));
        return { wait: 0, waitAfterFailure, succeeded: () => takeBack(lines) };
      });
    },

    async clear(db, purpose, account) {
      await db.query('delete from signin_budget where space_id = $1 and account = $2', [
        spaceId,
        accountHash(purpose, account),
      ]);
    },

    async sweep() {
      const now = isoTime(clock.now());
      await database.query(
        `delete from signin_budget where (space_id, kind, subject) in (
           select space_id, kind, subject from signin_budget
           where space_id = $1 and empty_at < $2 and (wait_until is null or wait_until < $2) for update skip locked)`,
        [spaceId, now],
      );
    },
  };
}

/** Maximum failures counted, so that a long attack is forgotten soon after it ends. */
function maxFailures({ freeFailures, firstWaitMs, maxWaitMs }: AttemptBudget): number {
  return freeFailures + Math.ceil(Math.log2(maxWaitMs / firstWaitMs));
}

function waitAfter(failures: number, { freeFailures, firstWaitMs, maxWaitMs }: AttemptBudget): number {
  // Rounding: the short times between near-simultaneous attempts barely reduce the count.
  const whole = Math.round(failures);
  return whole < freeFailures ? 0 : Math.min(firstWaitMs * 2 ** (whole - freeFailures), maxWaitMs);
}
