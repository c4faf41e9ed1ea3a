// The subscription and its tickets (spec section 7); tickets come in batches and the list grows as they arrive.
import { chunkSize, mapInChunks } from '../http/chunks.ts';
import type { Page } from '../http/page.ts';
import { send, type Transport } from '../http/transport.ts';

export interface Subscription {
  basic: { pricePlanId: string };
  tickets: { ticketId: string }[];
}

export interface Ticket {
  ticketId: string;
  [field: string]: unknown;
}

/** The subscription of the space; null when nothing is subscribed. */
export async function fetchSubscription(transport: Transport): Promise<Subscription | null> {
  const { data } = await send<Page<Subscription>>(transport, {
    method: 'GET',
    path: '/api/contract/subscriptions',
    query: { limit: 1 },
  });
  return data.items[0] ?? null;
}

/** All tickets in order, ten calls at a time; `onGrow` gets the list so far after every batch. */
export async function fetchTickets(
  transport: Transport,
  { basic, tickets }: Subscription,
  onGrow?: (soFar: readonly Ticket[]) => void,
  signal?: AbortSignal,
): Promise<Ticket[]> {
  const plan = `/api/contract/price-plans/${encodeURIComponent(basic.pricePlanId)}`;
  let soFar: Ticket[] = [];
  for (let first = 0; first < tickets.length; first += chunkSize) {
    const batch = await mapInChunks(
      tickets.slice(first, first + chunkSize),
      async ({ ticketId }) =>
        (
          await send<Ticket>(transport, {
            method: 'GET',
            path: `${plan}/tickets/${encodeURIComponent(ticketId)}`,
            signal,
          })
        ).data,
      { signal },
    );
    soFar = [...soFar, ...batch];
    onGrow?.(soFar);
  }
  return soFar;
}
