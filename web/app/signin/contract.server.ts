// Fetches the contract once per sign-in and caches it for the session.
import { type Feature, hasFeature } from '@yagura/core/access/features';
import { pricePlan, subscription } from '@yagura/core/contract/subscription';
import type { Api } from './api.server.ts';

export interface ContractFields {
  /** `none`: nothing is subscribed; `failed`: it could not be fetched and all tickets count as missing. */
  state: 'held' | 'none' | 'failed';
  /** Name of the price plan. */
  pricePlan: string | null;
  ticketIds: string[];
}

const maxCached = 500;
const cache = new Map<string, Promise<ContractFields>>();

export async function getContract(api: Api): Promise<ContractFields> {
  const { authorization = '' } = (await api.transport.headers?.()) ?? {};
  const cached = cache.get(authorization);
  if (cached) return cached;
  const fetched = fetchContract(api);
  if (cache.size >= maxCached) cache.delete(cache.keys().next().value!);
  cache.set(authorization, fetched);
  // Do not cache a failure.
  if ((await fetched).state === 'failed') cache.delete(authorization);
  return fetched;
}

/** Returns whether a held ticket enables the feature. */
export async function isFeatureIncluded(api: Api, feature: Feature): Promise<boolean> {
  return hasFeature(feature, (await getContract(api)).ticketIds);
}

async function fetchContract(api: Api): Promise<ContractFields> {
  try {
    const { items } = await api.client(subscription).list({ limit: 1 });
    const currentSubscription = items[0];
    if (!currentSubscription) return { state: 'none', pricePlan: null, ticketIds: [] };
    const ticketIds = currentSubscription.tickets.map(({ ticketId }) => ticketId);
    const plan = await api.client(pricePlan).show(currentSubscription.basic.pricePlanId);
    return { state: 'held', pricePlan: plan.displayName, ticketIds };
  } catch {
    return { state: 'failed', pricePlan: null, ticketIds: [] };
  }
}
