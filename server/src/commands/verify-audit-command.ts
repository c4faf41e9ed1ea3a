// `yagura-server audit verify`: checks the audit log of every space. On PostgreSQL it can run beside the
// servers, otherwise no server may be running.

import { type Anchor, createAnchorStore } from '../audit/anchor-store.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { systemClock } from '../common/clock.ts';
import { CommandRefused } from '../common/command-refused.ts';
import { createIdSource } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import { installationSecret } from '../common/secrets/installation-secret.ts';
import { deriveSecret } from '../common/secrets/server-secret.ts';
import { spaceSecret } from '../common/secrets/space-secret.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { sealExistingData } from '../hosting/seal-existing-data.ts';
import { openForCommand } from './open-for-command.ts';

export const auditUsage = `Usage: yagura-server audit verify [--head HEAD]… [--data FOLDER]

Checks that no record of the audit logs was changed or removed, and prints one line per space. Exit code 1 means that a log is
broken. HEAD is the value of "head" in an "Audit log" line of the server log. With the embedded database stop the server first.`;

/**
 * Returns one line per space, and whether every chain is intact. `heads`: chain heads copied from the server
 * log.
 */
export async function verifyAuditLogs(
  config: Config,
  log: Log,
  heads: readonly string[] = [],
): Promise<{ lines: string[]; intact: boolean }> {
  const told = heads.map(parseHead);
  const database = await openForCommand(config, log);
  try {
    const installation = await installationSecret(config, database);
    await sealExistingData(database, systemClock, installation);
    const anchors = createAnchorStore(config.dataFolder, log);
    const { rows } = await database.query<{ spaceId: string; name: string; host: string | null }>(
      `select space_id as "spaceId", display_name as name, host from space where erasing_since is null
       order by created_at`,
    );
    if (rows.length === 0) throw new CommandRefused('There is no space yet');
    const lines: string[] = [];
    let intact = true;
    for (const { spaceId, name, host } of rows) {
      const secret = deriveSecret(spaceSecret(installation, { spaceId, host }));
      const common = {
        database,
        clock: systemClock,
        nextId: createIdSource(systemClock),
        log,
        retentionDays: 0,
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
    if (unknown) lines.push(`${unknown.spaceId}: unknown space`);
    return { lines, intact: intact && !unknown };
  } finally {
    await database.close();
  }
}

function parseHead(text: string): Anchor & { spaceId: string } {
  const [, spaceId, number, hash] = /^([0-9a-f-]{36}):(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!spaceId) throw new ConfigError('--head: must be the head from an "Audit log" line of the server log');
  return { spaceId, number: Number(number), hash: hash! };
}
