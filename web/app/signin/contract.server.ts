// The contract as the faces need it: fetched once per sign-in, kept while its session lives.
import { type Feature, hasFeature } from '@yagura/core/access/features';
import { pricePlan, subscription } from '@yagura/core/contract/subscription';
import type { Api } from './api.server.ts';

export interface ContractFields {
  /** `none`: nothing is subscribed; `failed`: it could not be fetched, and no ticket counts as held. */
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
  // What failed is asked for again.
  if ((await fetched).state === 'failed') cache.delete(authorization);
  return fetched;
}

/** Whether a ticket is held that opens the feature. */
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
