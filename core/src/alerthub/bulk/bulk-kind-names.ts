// Names of the configuration kinds that can be imported and exported, in dependency order.
export const bulkKindNames = [
  'scopes',
  'attributes',
  'mute-schedules',
  'email-action-sender-settings',
  'notification-email-settings',
  'actions',
  'runbooks',
  'receive-slots',
  'rules',
  'triggers',
] as const;
export type BulkKindName = (typeof bulkKindNames)[number];
