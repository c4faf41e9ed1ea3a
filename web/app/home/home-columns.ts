// The columns of the short lists at home, for what fetches them and what draws them.
export const homeColumns = {
  unhealthyScopes: ['status', 'displayName', 'severity', 'lastEventAt'],
  messages: ['receivedAt', 'receiveSlotId', 'summary'],
  deliveries: ['status', 'createdAt', 'actionId', 'scopeId'],
  changes: ['at', 'actorName', 'action', 'resource'],
} as const;
