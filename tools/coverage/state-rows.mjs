// States and their behaviours, each with where it is made true.
export const states = [
  ['Task rejected: the title and the detail of the refusal', 'core/src/work/task.ts#registerTask'],
  ['Chain rejected or failed', 'core/src/work/task.ts#invokeChain'],
  ["A schedule's kind", 'core/src/schedule/schedule.ts#scheduleKind'],
  [
    'A schedule is toggled by fetching it and putting it back',
    'core/src/schedule/schedule.ts#toggled',
    'core/src/work/scan-schedules.ts#scanSchedules',
  ],
  ['Log key refresh: flag on, off, both reloads', 'core/src/work/customer-key.ts#refreshCustomerKey'],
  ['A scan task gives the new snapshot or nothing', 'core/src/work/task.ts#startScan'],
  ["The snapshot's task: not found is nothing", 'core/src/work/task.ts#findTask'],
  ['Bulk import: submit, execute, both lists again', 'core/src/work/bulk-import.ts#runImport'],
  ['Toasts vanish, pause on hover, start again', 'core/src/live/toast-queue.ts#toastQueue'],
  ['Tickets in batches with a growing list', 'core/src/contract/tickets.ts#fetchTickets'],
  [
    'Partial updates of networks and their notification settings',
    'core/src/work/partial-update.ts#updateNetwork',
    'core/src/work/partial-update.ts#updateNotification',
  ],
  [
    'Positions keep every digit',
    'core/src/http/exact-json.ts#parseExact',
    'core/src/http/exact-json.ts#printExact',
  ],
];
