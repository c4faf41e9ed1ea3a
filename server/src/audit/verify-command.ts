// `yagura-server audit verify`: checks the audit log of every space while no server runs, or beside those on PostgreSQL.
import { systemClock } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import { idSource } from '../id.ts';
import { installationSecret } from '../identity/installation-secret.ts';
import { deriveSecret } from '../identity/server-secret.ts';
import { spaceSecret } from '../identity/space-secret.ts';
import type { Log } from '../log.ts';
import { connectDatabase } from '../open-store.ts';
import { sealStore } from '../seal-store.ts';
import { type Anchor, anchorFile } from './anchor-file.ts';
import { createAuditLog } from './audit-log.ts';

/** One line for each space; false when a chain is broken. `heads`: ends of chains as the log of the server told them. */
export async function verifyAuditLogs(
  config: Config,
  log: Log,
  heads: readonly string[] = [],
): Promise<{ lines: string[]; intact: boolean }> {
  const told = heads.map(headOf);
  const database = await connectDatabase(config, log);
  try {
    const installation = await installationSecret(config, database);
    await sealStore(database, systemClock, installation);
    const anchors = anchorFile(config.dataFolder, log);
    const { rows } = await database.query<{ spaceId: string; name: string; host: string | null }>(
      'select space_id as "spaceId", display_name as name, host from space order by created_at',
    );
    const lines: string[] = [];
    let intact = true;
    for (const { spaceId, name, host } of rows) {
      const secret = deriveSecret(spaceSecret(installation, { spaceId, host }));
      const common = {
        database,
        clock: systemClock,
        nextId: idSource(systemClock),
        log,
        keptDays: 0,
        anchors,
      };
      const own = told.filter((head) => head.spaceId === spaceId);
      const verdict = await createAuditLog({ ...common, spaceId, secret }).verify(own);
      intact &&= verdict.intact;
      lines.push(
        verdict.intact
          ? `${name}: ${verdict.checked} records, intact`
          : `${name}: broken at record ${verdict.firstBroken} of ${verdict.lastNumber}`,
      );
    }
    const unknown = told.find(({ spaceId }) => !rows.some((row) => row.spaceId === spaceId));
    if (unknown) lines.push(`${unknown.spaceId}: no such space`);
    return { lines, intact: intact && !unknown };
  } finally {
    await database.close();
  }
}

function headOf(text: string): Anchor & { spaceId: string } {
  const [, spaceId, number, hash] = /^([0-9a-f-]{36}):(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!spaceId) throw new ConfigError('--head: give the head of a line "Audit log" in the log of the server');
  return { spaceId, number: Number(number), hash: hash! };
}
