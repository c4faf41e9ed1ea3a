// Updates the IP restriction; refused without the ticket, or when it would lock out the caller.
import type { FeatureGate } from '@yagura/core/access/features';
import { Problem } from '@yagura/core/http/problem';
import { ipRestriction, selfIpAddress } from '@yagura/core/space/ip-restriction';
import { isoTime } from '../../common/clock.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { toStoreJson } from '../../db/store-json.ts';
import type { Behaviour, EditedItem } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import type { IpGuard } from '../ip-guard.ts';
import { type AllowedAddress, matchesAddress } from '../ip-guard.ts';

export interface IpRestrictionServices extends ResourceServices {
  contract: FeatureGate;
  ipGuard: IpGuard;
}

interface Change {
  enabled?: boolean;
  addresses?: AllowedAddress[];
  force: boolean;
}

async function load(db: Queryable, { spaceId }: RequestContext): Promise<StoredItem> {
  const { rows } = await db.query<{
    enabled: boolean;
    addresses: AllowedAddress[];
    version: string;
    updatedAt: string;
  }>(
    'select enabled, addresses, version::text as version, updated_at as "updatedAt" from ip_restriction where space_id = $1',
    [spaceId],
  );
  const { version, ...item } = rows[0] ?? { enabled: false, addresses: [], version: '0', updatedAt: null };
  return { item, version };
}

async function change(
  tx: Transaction,
  context: RequestContext<IpRestrictionServices>,
  { enabled, addresses, force }: Change,
  ifMatch?: string,
): Promise<EditedItem> {
  const { services, spaceId } = context;
  if (!services.contract.allowsFeature('ip-restriction'))
    throw new Problem('forbidden', { detail: context.t('refusal.ticket', { name: 'ipRestriction202507' }) });
  const before = await load(tx, context);
  checkMatch(ifMatch, before.version);
  const after = {
    enabled: enabled ?? (before.item.enabled as boolean),
    addresses: addresses ?? (before.item.addresses as AllowedAddress[]),
  };
  if (after.enabled && !force && !matchesAddress(after.addresses, context.address))
    throw new Problem('conflict', { detail: context.t('ip.locked-out', { address: context.address }) });
  const { rowCount } = await tx.query(
    `insert into ip_restriction (space_id, enabled, addresses, version, updated_at) values ($1, $2, $3, 1, $4)
     on conflict (space_id) do update set enabled = excluded.enabled, addresses = excluded.addresses,
       version = ip_restriction.version + 1, updated_at = excluded.updated_at
     where ip_restriction.version = $5::bigint`,
    [spaceId, after.enabled, toStoreJson(after.addresses), isoTime(services.clock.now()), before.version],
  );
  if (rowCount === 0) throw new Problem('changed');
  return {
    before: before.item,
    after: await load(tx, context),
    async onCommitted() {
      await services.ipGuard.load();
      announce(context, ipRestriction, spaceId, 'update');
    },
  };
}

export const ipRestrictionBehaviour: Behaviour<typeof ipRestriction, IpRestrictionServices> = {
  resource: ipRestriction,
  show: (context) => load(context.services.database, context),
  edit: (tx, context, input, ifMatch) => change(tx, context, input as unknown as Change, ifMatch),
  calls: {
    async addresses(context, body) {
      const { after, onCommitted } = await context.transaction((tx) => change(tx, context, body as Change));
      await onCommitted();
      return after.item;
    },
  },
};

export const selfIpAddressBehaviour: Behaviour<typeof selfIpAddress> = {
  resource: selfIpAddress,
  show: async ({ address }) => ({ version: address, item: { ipAddress: address } }),
};
