// Scan events to notify of.

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
