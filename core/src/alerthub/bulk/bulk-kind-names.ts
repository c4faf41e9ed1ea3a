// Names of the kinds of configuration that travel in files, in an order in which an empty space can take them.
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
