// API behavior of the contract resource.

import { pricePlan, subscription, ticket } from '@yagura/core/contract/subscription';
import type { Behaviour } from '../resource/behaviour.ts';
import { listInMemory } from '../resource/list/in-memory-list.ts';
import type { ResourceServices } from '../resource/request-context.ts';
import type { Contract } from './contract.ts';

export interface ContractServices extends ResourceServices {
  contract: Contract;
}

export const subscriptionBehaviour: Behaviour<typeof subscription, ContractServices> = {
  resource: subscription,
  async list(context) {
    const { subscription: held } = context.services.contract;
    const items = held
      ? [
          {
            subscriptionId: held.subscriptionId,
            basic: { pricePlanId: held.pricePlan.pricePlanId },
            tickets: held.tickets.map(({ ticketId }) => ({ ticketId })),
          },
        ]
      : [];
    return listInMemory(subscription, items, context);
  },
};

export const pricePlanBehaviour: Behaviour<typeof pricePlan, ContractServices> = {
  resource: pricePlan,
  async show({ services, params }) {
    const plan = services.contract.subscription?.pricePlan;
    if (plan?.pricePlanId !== params.pricePlanId) return null;
    return { version: '1', item: { pricePlanId: plan!.pricePlanId, displayName: plan!.displayName } };
  },
};

export const ticketBehaviour: Behaviour<typeof ticket, ContractServices> = {
  resource: ticket,
  async show({ services, params }) {
    const held = services.contract.subscription;
    if (held?.pricePlan.pricePlanId !== params.pricePlanId) return null;
    const found = held!.tickets.find(({ ticketId }) => ticketId === params.ticketId);
    return found ? { version: '1', item: found } : null;
  },
};
