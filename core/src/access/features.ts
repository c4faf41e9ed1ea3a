// Features enabled by the subscription's tickets.

export type Feature = 'webhook-on-premises' | 'pigeon-transfer' | 'ip-restriction';

const ticketOpensFeature: Record<Feature, (ticketId: string) => boolean> = {
  'webhook-on-premises': (ticketId) => ticketId === 'alerthubOnPremises',
  // Every Pigeon plan includes the feature, and plans change: match the common prefix of their ticket ids.
  'pigeon-transfer': (ticketId) => ticketId.startsWith('pigeon'),
  'ip-restriction': (ticketId) => ticketId === 'ipRestriction202507',
};

/** Tells which features a contract includes. */
export interface FeatureGate {
  allowsFeature(feature: Feature): boolean;
}

/** True if one of the ticket ids enables the feature. */
export function hasFeature(feature: Feature, ticketIds: readonly string[]): boolean {
  return ticketIds.some(ticketOpensFeature[feature]);
}
