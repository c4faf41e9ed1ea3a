// States and their behaviours, each with where it is made true.
export const states = [
  ['Task rejected: the detail of the refusal, else its title', 'core/src/tasks/task-calls.ts#registerTask'],
  [
    'Chain rejected or failed: the title and the detail of the refusal',
    'core/src/tasks/task-calls.ts#invokeChain',
  ],
  ["A schedule's kind", 'core/src/schedule/schedule.ts#scheduleKind'],
  [
    'A schedule is toggled by fetching it and putting it back',
    'core/src/schedule/schedule.ts#withDisabledToggled',
    'core/src/sonar/scan-schedules.ts#createScanSchedulesClient',
  ],
  [
    'Log key refresh: the button is busy until it is over, and the new key is shown',
    'web/app/greac/screens/log-keys.tsx#LogKeys',
    'web/app/greac/screens/log-keys.tsx#action',
  ],
  [
    'The start of a scan gives the new snapshot, or nothing where the reply names none',
    'core/src/tasks/task-calls.ts#startScan',
  ],
  [
    'Bulk import: submit, look at the plan, execute',
    'cli/src/alerthub/bulk-import.ts#importFile',
    'cli/src/alerthub/bulk-import.ts#executeImport',
    'web/app/alerthub/screens/bulk/bulk-import.tsx#action',
  ],
  ['Toasts vanish, pause on hover, start again', 'core/src/live/toast-queue.ts#createToastQueue'],
  [
    'Updates of some fields: PUT sends the other ones as they were read, PATCH leaves them out; what was read is sent with its version',
    'cli/src/resource/write.ts#edit',
  ],
  ['What a view was loading is given up when it is left', 'cli/src/tui/app.tsx~leaving.abort()'],
  [
    'Positions keep every digit',
    'core/src/http/exact-json.ts#parseExactJson',
    'core/src/http/exact-json.ts#printExactJson',
  ],
];
