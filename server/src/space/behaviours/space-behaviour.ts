// The space itself.
import { space } from '@yagura/core/space/space';
import { lockSpace } from '../../audit/lock-space.ts';
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';

export interface AccountServices extends ResourceServices {
  identity: Identity;
}

export const spaceBehaviour: Behaviour<typeof space> = {
  resource: space,
  show: (context) => loadSpace(context.services.database, context),
  async edit(tx, context, input, ifMatch) {
    await lockSpace(tx, context.spaceId);
    const before = await loadSpace(tx, context);
    checkMatch(ifMatch, before.version);
    await tx.query(
      'update space set display_name = $2, remarks = $3, updated_at = $4, version = version + 1 where space_id = $1',
      [context.spaceId, input.displayName, input.remarks, isoTime(context.services.clock.now())],
    );
    return {
      before: before.item,
      after: await loadSpace(tx, context),
      onCommitted: () => announce(context, space, context.spaceId, 'update'),
    };
  },
};

async function loadSpace(db: Queryable, context: RequestContext): Promise<StoredItem> {
  const { rows } = await db.query<Record<string, unknown>>(
    'select space_id, display_name, remarks, version, created_at, updated_at from space where space_id = $1',
    [context.spaceId],
  );
  const row = rows[0]!;
  return {
    version: String(row.version),
    item: {
      spaceId: row.space_id,
      displayName: row.display_name,
      remarks: row.remarks,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  };
}
