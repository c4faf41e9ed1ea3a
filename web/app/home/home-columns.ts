// Columns of the short lists on the home page, shared by loader and component.
export const homeColumns = {
  unhealthyScopes: ['status', 'displayName', 'severity', 'acknowledgedBy', 'lastEventAt'],
  messages: ['receivedAt', 'receiveSlotId', 'summary'],
  deliveries: ['status', 'createdAt', 'actionId', 'scopeId'],
  changes: ['at', 'actorName', 'action', 'resource'],
} as const;
