// The contract as the faces need it: fetched once per sign-in, kept while its session lives.
import { type Feature, hasFeature } from '@yagura/core/access/tickets';
import { pricePlan, subscription } from '@yagura/core/contract/subscription';
import type { Api } from './api.server.ts';

export interface ContractFields {
  /** `none`: nothing is subscribed; `failed`: it could not be fetched, and no ticket counts as held. */
  state: 'held' | 'none' | 'failed';
  /** Name of the price plan. */
  pricePlan: string | null;
  ticketIds: string[];
}

const maxKept = 500;
const kept = new Map<string, Promise<ContractFields>>();

export async function contractOf(api: Api): Promise<ContractFields> {
  const { authorization = '' } = (await api.transport.headers?.()) ?? {};
  const known = kept.get(authorization);
  if (known) return known;
  const fetched = read(api);
  if (kept.size >= maxKept) kept.delete(kept.keys().next().value!);
  kept.set(authorization, fetched);
  // What failed is asked for again.
  if ((await fetched).state === 'failed') kept.delete(authorization);
  return fetched;
}

/** Whether a ticket is held that opens the feature. */
export async function opens(api: Api, feature: Feature): Promise<boolean> {
  return hasFeature(feature, (await contractOf(api)).ticketIds);
}

async function read(api: Api): Promise<ContractFields> {
  try {
    const { items } = await api.client(subscription).list({ limit: 1 });
    const held = items[0];
    if (!held) return { state: 'none', pricePlan: null, ticketIds: [] };
    const ticketIds = held.tickets.map(({ ticketId }) => ticketId);
    const plan = await api.client(pricePlan).show(held.basic.pricePlanId);
    return { state: 'held', pricePlan: plan.displayName, ticketIds };
  } catch {
    return { state: 'failed', pricePlan: null, ticketIds: [] };
  }
}
