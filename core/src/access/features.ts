// Features that the subscription's tickets open (spec section 1).

export type Feature = 'webhook-on-premises' | 'pigeon-transfer' | 'ip-restriction';

const ticketOpensFeature: Record<Feature, (ticketId: string) => boolean> = {
  'webhook-on-premises': (ticketId) => ticketId === 'alerthubOnPremises',
  // Any Pigeon plan will do, and plans come and go: their tickets share a beginning.
  'pigeon-transfer': (ticketId) => ticketId.startsWith('pigeon'),
  'ip-restriction': (ticketId) => ticketId === 'ipRestriction202507',
};

/** True when one of the ticket ids opens the feature. */
export function hasFeature(feature: Feature, ticketIds: readonly string[]): boolean {
  return ticketIds.some(ticketOpensFeature[feature]);
}
