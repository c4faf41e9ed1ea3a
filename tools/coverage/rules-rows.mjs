// The validation rules, roles, errors and constants that the product promises, each with where it is made true.
// A place is `file#export`, or `file~text` for what is no export, such as a colour in a style sheet.

const inValidation = (file) => `core/src/validation/${file}`;
const field = (name) => `core/src/resource/field.ts#${name}`;

export const validation = [
  ['Required', field('requiredText'), inValidation('issue-messages.ts#invalidParams')],
  [
    'The sentences of refusals, in both languages',
    'core/src/i18n/en/rules.ts#rules',
    'core/src/i18n/ja/rules.ts#rules',
  ],
  ['Email address', field('email')],
  ['URL with its protocol', field('url')],
  [
    'Date-time in the future, where one is asked for',
    'server/src/ksocket/ksocket-token-behaviour.ts~rule.future',
    'server/src/tasks/task-schedule-behaviour.ts~rule.future',
  ],
  ['RFC 3339', field('dateTime'), inValidation('rfc3339.ts#isRfc3339')],
  ['Date YYYY-MM-DD', inValidation('date.ts#isDate')],
  ['Time zone by name or UTC offset', 'core/src/time/time-zone.ts#isTimeZone'],
  ['IPv4 address', inValidation('ipv4.ts#isIpv4')],
  ['IPv4 with CIDR', inValidation('ipv4.ts#isIpv4Cidr')],
  ['IPv4 with or without CIDR', inValidation('ipv4.ts#isIpv4OrCidr')],
  ['Integer, with its range', field('integer')],
  ['Password of a letter, a digit and a symbol', inValidation('password.ts#isPassword')],
  ['Phone number', inValidation('phone.ts#isPhone')],
  ['Fewest and most characters, as a person counts them', inValidation('text-length.ts#checkTextLength')],
  ['Pattern, in bounded time', inValidation('pattern.ts#checkPattern')],
  ['One of a list of candidates', field('choice')],
  ['Fewest and most items', inValidation('list-size.ts#checkListSize')],
  [
    'At least one weekday, monday to sunday',
    'core/src/schedule/schedule.ts#scheduleKind',
    'web/app/ui/input/weekday-group.tsx#WeekdayGroup',
  ],
  [
    'List field: items split at a delimiter, comma by default',
    inValidation('list-text.ts#splitListText'),
    inValidation('list-text.ts#defaultDelimiter'),
  ],
  [
    'List field: item count, length and pattern, an error each',
    inValidation('list-text.ts#validateListText'),
  ],
  ['List field: blank items dropped on leaving', inValidation('list-text.ts#dropBlankItems')],
  ['List field: pasting merges and de-duplicates', inValidation('list-text.ts#mergePasted')],
  [
    'Key/value editor: a key is required, duplicates are refused',
    'web/app/ui/input/key-values-input.tsx#KeyValuesInput',
  ],
  [
    'Fields from a schema: text, number, choice, boolean, several texts, keys with values, else JSON',
    'web/app/alerthub/flow/param-fields.ts#paramFields',
  ],
  [
    'Time zone choices: names, or UTC-12 to UTC+14',
    'core/src/time/time-zone.ts#timeZoneNames',
    'core/src/time/time-zone.ts#utcOffsets',
  ],
  ['Time zone: the local one by default', 'core/src/time/time-zone.ts#localTimeZone'],
  [
    'Date-time field text yyyy/MM/dd HH:mm',
    'core/src/format/date-time.ts#formatFieldDateTime',
    'core/src/format/date-time.ts#parseFieldDateTime',
  ],
  [
    'A 400 with invalidParams: each reason at its field',
    inValidation('issue-messages.ts#invalidParams'),
    'core/src/http/problem-reaction.ts#reactionToError',
  ],
];

export const access = [
  ['A privileged person may do everything', 'core/src/access/permissions.ts#can'],
  [
    'Roles of the token and of the groups, expanded through the role map',
    'core/src/access/permissions.ts#permissionsOf',
  ],
  ['A check passes if any required permission is held', 'core/src/access/permissions.ts#can'],
  [
    'Claims that cannot be fetched: not privileged, no roles',
    'web/app/signin/current-user.server.ts#getCurrentUser',
  ],
  ['What each role may do', 'core/src/access/role-map.ts#roleMap'],
  [
    'Why something is refused, and which roles would give it',
    'core/src/access/permissions.ts#rolesGranting',
    'cli/src/tui/state/app-context.ts#refusal',
  ],
  ['AlertHub tools need a bulk-operation role', 'core/src/access/menu-permissions.ts#canUseBulkTools'],
  ['Greac key management needs a log-key role', 'core/src/access/menu-permissions.ts#canManageLogKeys'],
  ['Features by ticket', 'core/src/access/features.ts#hasFeature'],
  ['A 403 caused by IP restriction', 'core/src/http/problem.ts#ipBlockedDetail'],
];

export const errors = [
  [
    'Problem bodies: type, title, detail, instance, invalidParams',
    'core/src/http/problem.ts#Problem',
    'core/src/http/problem.ts#problemFromReply',
  ],
  [
    'Shown text `title: detail`, `error: title`, nothing for a cancelled call',
    'core/src/format/problem-text.ts#problemText',
  ],
  ['400: each reason at its form field', 'core/src/http/problem-reaction.ts#reactionToError'],
  [
    '403: the forbidden page with error-type, and error-detail for an IP block',
    'core/src/http/problem-reaction.ts#reactionToError',
  ],
  ['404: the not-found page', 'core/src/http/problem-reaction.ts#reactionToError'],
  ['404 tolerated where a thing may be gone', 'core/src/http/null-if-not-found.ts#nullIfNotFound'],
  ['409: a clash, told with its field', 'core/src/http/problem.ts#problemKinds'],
  [
    'Other errors: a toast, unless alerts are off; redirects off per call',
    'core/src/http/problem-reaction.ts#reactionToError',
  ],
  ['Task rejected', 'core/src/tasks/task-calls.ts#registerTask'],
  ['Chain rejected or failed', 'core/src/tasks/task-calls.ts#invokeChain'],
  ['The schedule helper throws for an invalid schedule', 'core/src/schedule/schedule.ts#ScheduleError'],
  ['No subscription', 'web/app/shell/errors/contract-alert.tsx#ContractAlert'],
  [
    'Placeholders and "Copied"',
    'core/src/i18n/en/web.ts#web',
    'web/app/ui/page/placeholder.tsx#Placeholder',
    'web/app/ui/text/copy-id.tsx#CopyId',
  ],
];

export const constants = [
  ['Table pages of 5, 10, 25, 50, 100, 500', 'web/app/ui/table/table-state.ts#pageSizes'],
  ['Walks over everything in pages of 200', 'core/src/http/page.ts#fetchAllPageSize'],
  ['Contract fetched with limit 1', 'web/app/signin/contract.server.ts#getContract'],
  ['Requests in chunks of 10', 'core/src/http/chunks.ts#chunkSize'],
  ['Polling every 10000 ms', 'core/src/live/poll-interval.ts#viewPollIntervalMs'],
  ['Debounce of 500 ms', 'core/src/live/debounce.ts#debounceDelayMs'],
  [
    'Toasts for 3000 ms, ids modulo 100',
    'core/src/live/toast-queue.ts#toastDurationMs',
    'core/src/live/toast-queue.ts#toastIdCycle',
  ],
  ['Tooltips after 500 ms, none on iPad and iPhone', 'web/app/ui/overlay/tooltip.tsx~openDelayMs = 500'],
  ['Loading dots: 500 ms, one to three', 'web/app/ui/page/placeholder.tsx~500'],
  ['Theme colours', 'web/app/app.css~#00876e', 'web/app/app.css~#f789f1'],
  [
    'Action kinds and webhook methods',
    'core/src/alerthub/action.ts#actionKinds',
    'core/src/alerthub/action.ts#webhookMethods',
  ],
  ['Severity names', 'core/src/alerthub/scope-status.ts#scopeStatuses'],
  [
    'Schedules: oneshot, daily, weekly, monthly; 31 is the last day',
    'core/src/schedule/schedule.ts#scheduleKind',
    'core/src/schedule/next-run.ts#nextRun',
  ],
  ['Bytes by 1024 with 2 decimals', 'core/src/format/bytes.ts#formatBytes'],
  ['Text cut at 100 characters', 'core/src/format/truncate.ts#truncate'],
  ['Dates by locale, short, on a 24-hour clock', 'core/src/format/date-time.ts#formatDateTime'],
  ['UTC offsets -12 to +14', 'core/src/time/time-zone.ts#utcOffsets'],
  ['Languages en and ja, Japanese when in doubt', 'core/src/i18n/language.ts#languages'],
];
