// A network's scan settings: defaults that are stored once a user changes them.

import { network } from '@yagura/core/sonar/network';
import { scanSettings } from '@yagura/core/sonar/scan-settings';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import { checkReferences, referencesIn, writeReferences } from '../../resource/references.ts';
import { loadScanSettings } from '../stored-scan-settings.ts';

export const scanSettingsBehaviour: Behaviour<typeof scanSettings> = {
  resource: scanSettings,
  show: (context) => loadScanSettings(context.services.database, context.spaceId, context.params.networkId),
  async edit(tx, context, input, ifMatch) {
    const { spaceId } = context;
    const networkId = context.params.networkId!;
    const { rows } = isUuid(networkId)
      ? await tx.query(
          `select 1 from resource where space_id = $1 and kind = 'network' and id = $2 for update`,
          [spaceId, networkId],
        )
      : { rows: [] };
    if (rows.length === 0) throw itemNotFound(context, network);
    const before = (await loadScanSettings(tx, spaceId, networkId))!;
    checkMatch(ifMatch, before.version);
    const found = referencesIn(scanSettings, input);
    await checkReferences(tx, context, found);
    await tx.query(
      `insert into resource (space_id, kind, id, parent_id, body, created_at, updated_at) values ($1, 'scan-settings', $2, $2, $3, $4, $4)
       on conflict (space_id, kind, id) do update set body = excluded.body, updated_at = excluded.updated_at, version = resource.version + 1`,
      [spaceId, networkId, JSON.stringify(input), isoTime(context.services.clock.now())],
    );
    await writeReferences(tx, spaceId, { kind: 'scan-settings', id: networkId }, found);
    return {
      before: before.item,
      after: (await loadScanSettings(tx, spaceId, networkId))!,
      onCommitted: () => announce(context, scanSettings, networkId, 'update'),
    };
  },
};
