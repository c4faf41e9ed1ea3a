// Contract of a space (price plan and tickets), read from a file; the default without a file enables
// everything.
import { readFileSync } from 'node:fs';
import { type Feature, type FeatureGate, hasFeature } from '@yagura/core/access/features';
import { z } from 'zod';
import { fileFault } from '../common/variable-kinds.ts';

const identifier = z.string().min(1).max(64);
const name = z.string().min(1).max(100);

const file = z.strictObject({
  /** Null: no subscription; every feature that needs a ticket is off. */
  subscription: z
    .strictObject({
      subscriptionId: identifier.default('default'),
      pricePlan: z.strictObject({
        pricePlanId: identifier,
        displayName: name,
        /** Null: unlimited. */
        maxUsers: z.int().min(1).nullable().default(null),
      }),
      tickets: z.array(z.strictObject({ ticketId: identifier, displayName: name })).max(1000),
    })
    .nullable(),
});

export type Subscription = NonNullable<z.output<typeof file>['subscription']>;

const defaultSubscription: Subscription = {
  subscriptionId: 'open',
  pricePlan: { pricePlanId: 'open', displayName: 'Open source', maxUsers: null },
  tickets: [
    { ticketId: 'alerthubOnPremises', displayName: 'AlertHub on premises' },
    { ticketId: 'ipRestriction202507', displayName: 'IP address restriction' },
    { ticketId: 'pigeonTransfer', displayName: 'Pigeon call transfer' },
  ],
};

export class Contract implements FeatureGate {
  readonly subscription: Subscription | null;

  constructor(subscription: Subscription | null) {
    this.subscription = subscription;
  }

  get ticketIds(): string[] {
    return this.subscription?.tickets.map(({ ticketId }) => ticketId) ?? [];
  }

  /** Whether this exact ticket is held. */
  hasTicket(ticketId: string): boolean {
    return this.ticketIds.includes(ticketId);
  }

  /** Whether a held ticket enables the feature. */
  allowsFeature(feature: Feature): boolean {
    return hasFeature(feature, this.ticketIds);
  }

  /** Null: unlimited. */
  get maxUsers(): number | null {
    return this.subscription?.pricePlan.maxUsers ?? null;
  }
}

/**
 * Reads the contract file, or returns the open defaults without one. Throws an Error describing what is
 * invalid.
 */
export function readContract(path: string | undefined): Contract {
  if (!path) return new Contract(defaultSubscription);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(fileFault(error));
  }
  const parsed = file.safeParse(content);
  if (parsed.success) return new Contract(parsed.data.subscription);
  throw new Error(
    parsed.error.issues.map(({ path: where, message }) => `${where.join('.')}: ${message}`).join('; '),
  );
}
