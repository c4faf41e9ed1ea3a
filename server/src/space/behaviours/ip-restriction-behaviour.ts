// Updates the IP restriction; refused without the ticket, or when it would lock out the caller.
import type { FeatureGate } from '@yagura/core/access/features';
import { Problem } from '@yagura/core/http/problem';
import { ipRestriction, selfIpAddress } from '@yagura/core/space/ip-restriction';
import { isoTime } from '../../common/clock.ts';
import { toStoreJson } from '../../db/store-json.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
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

async function stored({ services, spaceId }: RequestContext): Promise<StoredItem> {
  const { rows } = await services.database.query<{
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
  context: RequestContext<IpRestrictionServices>,
  { enabled, addresses, force }: Change,
  ifMatch?: string,
): Promise<StoredItem> {
  const { services, spaceId } = context;
  if (!services.contract.allowsFeature('ip-restriction'))
    throw new Problem('forbidden', { detail: 'needs the ticket ipRestriction202507' });
  const before = await stored(context);
  checkMatch(ifMatch, before.version);
  const after = {
    enabled: enabled ?? (before.item.enabled as boolean),
    addresses: addresses ?? (before.item.addresses as AllowedAddress[]),
  };
  if (after.enabled && !force && !matchesAddress(after.addresses, context.address))
    throw new Problem('conflict', { detail: context.t('ip.locked-out', { address: context.address }) });
  const { rowCount } = await services.database.query(
    `insert into ip_restriction (space_id, enabled, addresses, version, updated_at) values ($1, $2, $3, 1, $4)
     on conflict (space_id) do update set enabled = excluded.enabled, addresses = excluded.addresses,
       version = ip_restriction.version + 1, updated_at = excluded.updated_at
     where ip_restriction.version = $5::bigint`,
    [spaceId, after.enabled, toStoreJson(after.addresses), isoTime(services.clock.now()), before.version],
  );
  if (rowCount === 0) throw new Problem('changed');
  await services.ipGuard.load();
  announce(context, ipRestriction, spaceId, 'update');
  return stored(context);
}

export const ipRestrictionBehaviour: Behaviour<typeof ipRestriction, IpRestrictionServices> = {
  resource: ipRestriction,
  show: stored,
  edit: (context, input, ifMatch) => change(context, input as unknown as Change, ifMatch),
  calls: {
    addresses: async (context, body) => (await change(context, body as Change)).item,
  },
};

export const selfIpAddressBehaviour: Behaviour<typeof selfIpAddress> = {
  resource: selfIpAddress,
  show: async ({ address }) => ({ version: address, item: { ipAddress: address } }),
};
