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
  [
    'Log key refresh: the button is busy until it is over, and the list is loaded anew',
    'web/app/greac/screens/log-keys.tsx#LogKeys',
    'web/app/greac/screens/log-keys.tsx#action',
  ],
  ['A scan task gives the new snapshot or nothing', 'core/src/work/task.ts#startScan'],
  [
    'Bulk import: submit, look at the plan, execute',
    'cli/src/alerthub/bulk-import.ts#importFile',
    'cli/src/alerthub/bulk-import.ts#executeImport',
    'web/app/alerthub/screens/bulk-import.tsx#action',
  ],
  ['Toasts vanish, pause on hover, start again', 'core/src/live/toast-queue.ts#toastQueue'],
  [
    'Partial updates: the other fields are sent as they were read, with the version they were read at',
    'cli/src/resource/write.ts#edit',
  ],
  ['What a view was loading is given up when it is left', 'cli/src/tui/app.tsx~leaving.abort()'],
  [
    'Positions keep every digit',
    'core/src/http/exact-json.ts#parseExact',
    'core/src/http/exact-json.ts#printExact',
  ],
];
