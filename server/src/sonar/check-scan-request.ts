// Checks whether a scan of a network can start, and with which agent and addresses.
import type { MessageKey } from '@yagura/core/i18n/message-key';
import { countSeeds, maxSeedAddresses, scanScopeFor } from '@yagura/core/sonar/scan-settings';
import type { Queryable } from '../db/database.ts';
import { loadScanSettings } from './stored-scan-settings.ts';

/** Why a scan cannot start: a message key and its parameters. */
export class ScanRefused extends Error {
  readonly word: MessageKey;
  readonly params: Record<string, unknown>;
  constructor(word: MessageKey, params: Record<string, unknown> = {}) {
    super(word);
    this.word = word;
    this.params = params;
  }
}

/** The Ksocket that scans a network and its addresses; throws ScanRefused if it is not to be scanned. */
export async function findScanPlan(
  db: Queryable,
  spaceId: string,
  networkId: string,
  { lock }: { lock: boolean },
) {
  const { rows } = await db.query<{ body: { ksocketSlotId?: string | null } }>(
    `select body from resource where space_id = $1 and kind = 'network' and id = $2 ${lock ? 'for update' : ''}`,
    [spaceId, networkId],
  );
  if (!rows[0]) throw new ScanRefused('sonar.scan.no-network');
  const ksocketSlotId = rows[0].body.ksocketSlotId;
  if (!ksocketSlotId) throw new ScanRefused('sonar.scan.no-ksocket');
  const settings = (await loadScanSettings(db, spaceId, networkId))!;
  const scope = scanScopeFor(settings.item as never, ksocketSlotId);
  if (!scope) throw new ScanRefused('sonar.scan.disabled');
  if (countSeeds(scope.seeds) > maxSeedAddresses) {
    throw new ScanRefused('sonar.scan.too-many-seeds', { count: maxSeedAddresses });
  }
  return { ksocketSlotId, scope };
}

/** Locks the network; throws ScanRefused when a scan of it cannot start. */
export async function checkScanRequest(
  tx: Queryable,
  agents: { isConnected(db: Queryable, ksocketSlotId: string): Promise<boolean> },
  spaceId: string,
  networkId: string,
) {
  const { ksocketSlotId, scope } = await findScanPlan(tx, spaceId, networkId, { lock: true });
  if (!(await agents.isConnected(tx, ksocketSlotId))) throw new ScanRefused('sonar.scan.not-connected');
  const { rows: running } = await tx.query(
    `select 1 from snapshot where network_id = $1 and status in ('requested', 'started', 'processing') limit 1`,
    [networkId],
  );
  if (running.length > 0) throw new ScanRefused('sonar.scan.running');
  return { ksocketSlotId, scope };
}
