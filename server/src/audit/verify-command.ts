// `yagura-server audit verify`: checks the audit log of every space while no server runs, or beside those on PostgreSQL.
import { resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { migrations } from '../db/migrations/all.ts';
import { openDatabase } from '../db/open-database.ts';
import { idSource } from '../id.ts';
import { installationSecret } from '../identity/installation-secret.ts';
import { deriveSecret } from '../identity/server-secret.ts';
import type { Log } from '../log.ts';
import { createAuditLog } from './audit-log.ts';

/** One line for each space; false when a chain is broken. */
export async function verifyAuditLogs(
  config: Config,
  log: Log,
): Promise<{ lines: string[]; intact: boolean }> {
  const database = await openDatabase({
    folder: config.databaseUrl ? undefined : resolve(config.dataFolder),
    databaseUrl: config.databaseUrl,
    migrations,
    log: (line) => log(line as Parameters<Log>[0]),
  });
  try {
    const secret = deriveSecret(await installationSecret(config, database));
    const { rows } = await database.query<{ spaceId: string; name: string }>(
      'select space_id as "spaceId", display_name as name from space order by created_at',
    );
    const lines: string[] = [];
    let intact = true;
    for (const { spaceId, name } of rows) {
      const common = { database, clock: systemClock, nextId: idSource(systemClock), log, keptDays: 0 };
      const verdict = await createAuditLog({ ...common, spaceId, secret }).verify();
      intact &&= verdict.intact;
      lines.push(
        verdict.intact
          ? `${name}: ${verdict.checked} records, intact`
          : `${name}: broken at record ${verdict.firstBroken} of ${verdict.lastNumber}`,
      );
    }
    return { lines, intact };
  } finally {
    await database.close();
  }
}
