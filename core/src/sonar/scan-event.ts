// What scans tell (spec section 4).

export const scanEvents = [
  'scan:started',
  'scan:failedtostart',
  'scan:succeeded',
  'scan:failed',
  'node:found',
  'node:outdated',
] as const;
export type ScanEvent = (typeof scanEvents)[number];

export const notificationResults = ['succeeded', 'failed'] as const;
