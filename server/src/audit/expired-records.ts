// Deletes audit records past their retention; the chain goes on from the last of them.
import { type Clock, isoTime } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { ServerSecret } from '../common/secrets/server-secret.ts';
import { ClockJumpGuard, clockJumpWaitMs, wrongGapDays } from '../common/time/clock-jump-guard.ts';
import type { Database } from '../db/database.ts';
import { readChain, writeChain } from './chain.ts';

const dayMs = 86_400_000;

interface LastExpired {
  number: string;
  hash: Buffer;
  at: string;
  /** Time of the record after it; null if it is the newest. */
  nextAt: string | null;
}

/** Creates a function that deletes the records of a space that are older than `retentionDays`; 0 keeps all. */
export function createExpiryRemover(options: {
  database: Database;
  clock: Clock;
  log: Log;
  spaceId: string;
  secret: Pick<ServerSecret, 'keyedHash'>;
  retentionDays: number;
}): () => Promise<void> {
  const { database, clock, log, spaceId, secret, retentionDays } = options;
  // Some days without a record are common.
  const clockJump = new ClockJumpGuard({ clock, log }, 'audit retention', wrongGapDays);

  /** After a jump of the clock, months lie between the newest record from before it and the first one from after it. */
  function mayDelete({ at, nextAt }: LastExpired): boolean {
    const now = clock.now();
    const next = nextAt === null ? now : Date.parse(nextAt);
    if (now - next >= clockJumpWaitMs) return true;
    return clockJump.mayDelete(isoTime(now - (next - Date.parse(at))));
  }

  return async () => {
    if (retentionDays === 0) return;
    const before = isoTime(clock.now() - retentionDays * dayMs);
    await database.transaction(async (tx) => {
      const chain = await readChain(tx, spaceId, { locked: true });
      if (!chain) return;
      const { rows } = await tx.query<LastExpired>(
        // The last one before those to keep: a record that waited for the database is older than records before it.
        `select number::text as number, hash, at,
           (select n.at from audit_record n where n.space_id = $1 and n.number = r.number + 1) as "nextAt"
         from audit_record r where space_id = $1
           and number < coalesce((select min(number) from audit_record where space_id = $1 and at >= $2), $3)
         order by r.number desc limit 1`,
        [spaceId, before, String(chain.lastNumber + 1n)],
      );
      const [last] = rows;
      if (!last || !mayDelete(last)) return;
      await writeChain(tx, secret, spaceId, chain, { keptAfter: BigInt(last.number), keptHash: last.hash });
      await tx.query('delete from audit_record where space_id = $1 and number <= $2', [spaceId, last.number]);
    });
  };
}
