// `yagura-server audit verify`: checks the audit log of every space while no server runs, or beside those on PostgreSQL.
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { idSource } from '../id.ts';
import { installationSecret } from '../identity/installation-secret.ts';
import { deriveSecret } from '../identity/server-secret.ts';
import { spaceSecret } from '../identity/space-secret.ts';
import type { Log } from '../log.ts';
import { openStore } from '../open-store.ts';
import { createAuditLog } from './audit-log.ts';

/** One line for each space; false when a chain is broken. */
export async function verifyAuditLogs(
  config: Config,
  log: Log,
): Promise<{ lines: string[]; intact: boolean }> {
  const database = await openStore(config, log);
  try {
    const installation = await installationSecret(config, database);
    const { rows } = await database.query<{ spaceId: string; name: string; host: string | null }>(
      'select space_id as "spaceId", display_name as name, host from space order by created_at',
    );
    const lines: string[] = [];
    let intact = true;
    for (const { spaceId, name, host } of rows) {
      const secret = deriveSecret(spaceSecret(installation, { spaceId, host }));
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
