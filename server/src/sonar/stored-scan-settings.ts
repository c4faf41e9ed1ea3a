// Loads a network's scan settings; defaults until a user has changed them.
import { scanSettings } from '@yagura/core/sonar/scan-settings';
import { isUuid } from '../common/id.ts';
import type { Queryable } from '../db/database.ts';

interface Row {
  created_at: string;
  updated_at: string;
  body: Record<string, unknown> | null;
  version: string | null;
}

export interface StoredScanSettings {
  item: Record<string, unknown>;
  /** Version used for the ETag. */
  version: string;
}

/** Returns null when the network does not exist. */
export async function loadScanSettings(
  db: Queryable,
  spaceId: string,
  networkId: string | undefined,
): Promise<StoredScanSettings | null> {
  if (!isUuid(networkId)) return null;
  const { rows } = await db.query<Row>(
    `select s.body, s.version::text as version, coalesce(s.created_at, n.created_at) as created_at, coalesce(s.updated_at, n.created_at) as updated_at
     from resource n left join resource s on s.space_id = n.space_id and s.kind = 'scan-settings' and s.id = n.id
     where n.space_id = $1 and n.kind = 'network' and n.id = $2`,
    [spaceId, networkId],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    version: row.version ?? '0',
    item: {
      networkId,
      ...scanSettings.input!.parse({}),
      ...row.body,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  };
}
