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
  ['URL with its protocol, http or https', field('url')],
  [
    'Date-time in the future, where one is asked for',
    'server/src/ksocket/ksocket-token-behaviour.ts~rule.future',
    'server/src/tasks/task-schedule-behaviour.ts~rule.future',
  ],
  ['Date-time of RFC 3339, without leap seconds', field('dateTime'), inValidation('rfc3339.ts#isRfc3339')],
  ['Date YYYY-MM-DD', inValidation('date.ts#isDate')],
  ['Time zone by name or UTC offset', 'core/src/time/time-zone.ts#isTimeZone'],
  ['IPv4 address', inValidation('ipv4.ts#isIpv4')],
  ['IPv4 with CIDR', inValidation('ipv4.ts#isIpv4Cidr')],
  ['IPv4 with or without CIDR', inValidation('ipv4.ts#isIpv4OrCidr')],
  ['Integer, with its range', field('integer')],
  ['Password of a letter, a digit and a symbol', inValidation('password.ts#isPassword')],
  ['Phone number: a 0 and 3 to 29 more digits', inValidation('phone.ts#isPhone')],
  ['Fewest and most characters, as a person counts them', inValidation('text-length.ts#checkTextLength')],
  ['Pattern, in linear time', inValidation('pattern.ts#compilePattern')],
  ['One of a list of candidates', field('choice')],
  ['Fewest and most items', inValidation('issue-messages.ts#invalidParams')],
  [
    'At least one weekday, monday to sunday',
    'core/src/schedule/schedule.ts#scheduleKind',
    'web/app/ui/input/weekday-group.tsx#WeekdayGroup',
  ],
  [
    'List in one line of text, in the gallery alone: items split at a delimiter, comma by default',
    inValidation('list-text.ts#splitListText'),
    inValidation('list-text.ts#defaultDelimiter'),
  ],
  [
    'List in one line of text, in the gallery alone: item count, length and pattern, an error each',
    inValidation('list-text.ts#validateListText'),
  ],
  [
    'List in one line of text, in the gallery alone: blank items dropped on leaving',
    inValidation('list-text.ts#dropBlankItems'),
  ],
  [
    'List in one line of text, in the gallery alone: pasting merges and de-duplicates',
    inValidation('list-text.ts#mergePasted'),
  ],
  [
    'Key/value editor: a value needs a key, duplicate keys are refused',
    'web/app/ui/input/key-values-input.tsx#KeyValuesInput',
  ],
  [
    'Fields from a schema: text, number, choice, boolean, several texts, keys with values, else JSON',
    'web/app/alerthub/flow/param-fields.ts#paramFields',
  ],
  [
    'Time zone choices: names; in the gallery also UTC-12 to UTC+14',
    'core/src/time/time-zone.ts#timeZoneNames',
    'core/src/time/time-zone.ts#utcOffsets',
  ],
  [
    'Time zone: that of the browser where none is given, and by its button',
    'web/app/ui/input/time-zone-input.tsx#TimeZoneInput',
    'core/src/time/time-zone.ts#localTimeZone',
  ],
  [
    'Date-time field text yyyy/MM/dd HH:mm',
    'core/src/format/date-time.ts#formatFieldDateTime',
    'core/src/format/date-time.ts#parseFieldDateTime',
  ],
  [
    'A 400 with invalidParams: each reason at its field',
    inValidation('issue-messages.ts#invalidParams'),
    'web/app/resource/write/write.server.ts#toProblemResponse',
  ],
];

export const access = [
  ['A privileged person has every permission', 'core/src/access/permissions.ts#can'],
  [
    'Roles of the token and of the groups, expanded through the role map',
    'core/src/access/permissions.ts#permissionsOf',
    'server/src/identity/users/inherited-roles.ts#allRoles',
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
  ['400: each reason at its form field', 'web/app/resource/write/write.server.ts#toProblemResponse'],
  [
    '403: the forbidden page with error-type, and error-detail for an IP block',
    'core/src/http/problem-reaction.ts#reactionToError',
  ],
  ['404: the not-found page', 'core/src/http/problem-reaction.ts#reactionToError'],
  ['404 tolerated where a thing may be gone', 'core/src/http/null-if-not-found.ts#nullIfNotFound'],
  [
    '409 for a name that is taken: told with its field',
    'server/src/resource/item-operations.ts#mapUniqueViolation',
  ],
  [
    'Other errors: a toast after a write, unless alerts are off, and the error page while a page is loaded; redirects off per call',
    'core/src/http/problem-reaction.ts#reactionToError',
    'web/app/resource/write/use-problem-toast.ts#useProblemToast',
    'web/app/root.tsx#ErrorBoundary',
  ],
  ['Task rejected: an error', 'core/src/tasks/task-calls.ts#registerTask'],
  ['Chain rejected or failed: an error', 'core/src/tasks/task-calls.ts#invokeChain'],
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
  ['Clients read all of a list in pages of 200', 'core/src/http/page.ts#fetchAllPageSize'],
  ['Contract fetched with limit 1', 'web/app/signin/contract.server.ts#getContract'],
  ['Many requests at once in chunks of 10', 'core/src/http/chunks.ts#chunkSize'],
  [
    'A view whose changes are not pushed is loaded again every 10000 ms',
    'core/src/live/poll-interval.ts#viewPollIntervalMs',
  ],
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
  ['Status names of a scope: normal, warning, incident', 'core/src/alerthub/scope-status.ts#scopeStatuses'],
  [
    'Schedules: oneshot, daily, weekly, monthly; a day that a month lacks is its last one',
    'core/src/schedule/schedule.ts#scheduleKind',
    'core/src/schedule/next-run.ts#nextRun',
  ],
  ['Bytes by 1024 with at most 2 decimals', 'core/src/format/bytes.ts#formatBytes'],
  [
    'Plain text in a table cut at 100 characters, addresses at 60, JSON at 500',
    'core/src/format/truncate.ts#truncate',
    'web/app/ui/text/short-value.tsx~truncate(toOneLine',
  ],
  ['Dates by locale, short, on a 24-hour clock', 'core/src/format/date-time.ts#formatDateTime'],
  ['UTC offsets -12 to +14, in the gallery', 'core/src/time/time-zone.ts#utcOffsets'],
  [
    'Languages en and ja; in doubt Japanese on pages, English in replies of the API and at the command line',
    'core/src/i18n/language.ts#pickLanguage',
    'server/src/http/request-language.ts#languageFor',
    'cli/src/command-line/detect-language.ts#detectLanguage',
  ],
];
