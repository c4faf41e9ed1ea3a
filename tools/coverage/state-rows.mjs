// States and their behaviours, each with where it is made true.
export const states = [
  ['Task rejected: the title and the detail of the refusal', 'core/src/tasks/task-calls.ts#registerTask'],
  ['Chain rejected or failed', 'core/src/tasks/task-calls.ts#invokeChain'],
  ["A schedule's kind", 'core/src/schedule/schedule.ts#scheduleKind'],
  [
    'A schedule is toggled by fetching it and putting it back',
    'core/src/schedule/schedule.ts#withDisabledToggled',
    'core/src/sonar/scan-schedules.ts#createScanSchedulesClient',
  ],
  [
    'Log key refresh: the button is busy until it is over, and the list is loaded anew',
    'web/app/greac/screens/log-keys.tsx#LogKeys',
    'web/app/greac/screens/log-keys.tsx#action',
  ],
  ['A scan task gives the new snapshot or nothing', 'core/src/tasks/task-calls.ts#startScan'],
  [
    'Bulk import: submit, look at the plan, execute',
    'cli/src/alerthub/bulk-import.ts#importFile',
    'cli/src/alerthub/bulk-import.ts#executeImport',
    'web/app/alerthub/screens/bulk/bulk-import.tsx#action',
  ],
  ['Toasts vanish, pause on hover, start again', 'core/src/live/toast-queue.ts#createToastQueue'],
  [
    'Partial updates: the other fields are sent as they were read, with the version they were read at',
    'cli/src/resource/write.ts#edit',
  ],
  ['What a view was loading is given up when it is left', 'cli/src/tui/app.tsx~leaving.abort()'],
  [
    'Positions keep every digit',
    'core/src/http/exact-json.ts#parseExactJson',
    'core/src/http/exact-json.ts#printExactJson',
  ],
];
