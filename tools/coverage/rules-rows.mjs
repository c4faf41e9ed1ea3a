// The validation rules, roles, errors and constants that the product promises, each with where it is made true.
// A place is `file#export`, or `file~text` for what is no export, such as a colour in a style sheet.

const rules = (file) => `core/src/rules/${file}`;
const field = (name) => `core/src/resource/field.ts#${name}`;

export const validation = [
  ['Required', field('requiredText'), rules('reason.ts#invalidParams')],
  [
    'The sentences of refusals, in both languages',
    'core/src/words/en/rules.ts#rules',
    'core/src/words/ja/rules.ts#rules',
  ],
  ['Email address', field('email')],
  ['URL with its protocol', field('url')],
  [
    'Date-time in the future, where one is asked for',
    'server/src/ksocket/slot-behaviour.ts~rule.future',
    'server/src/work/task-behaviour.ts~rule.future',
  ],
  ['RFC 3339', field('dateTime'), rules('rfc3339.ts#isRfc3339')],
  ['Date YYYY-MM-DD', rules('date.ts#isDate')],
  ['Time zone by name or UTC offset', rules('time-zone.ts#isTimeZone')],
  ['IPv4 address', rules('ipv4.ts#isIpv4')],
  ['IPv4 with CIDR', rules('ipv4.ts#isIpv4Cidr')],
  ['IPv4 with or without CIDR', rules('ipv4.ts#isIpv4OrCidr')],
  ['Integer, with its range', field('integer')],
  ['Password of a letter, a digit and a symbol', rules('password.ts#isPassword')],
  ['Phone number', rules('phone.ts#isPhone')],
  ['Fewest and most characters, as a person counts them', rules('text-length.ts#checkTextLength')],
  ['Pattern, in bounded time', rules('pattern.ts#checkPattern')],
  ['One of a list of candidates', field('choice')],
  ['Fewest and most items', rules('list-size.ts#checkListSize')],
  [
    'At least one weekday, monday to sunday',
    'core/src/schedule/schedule.ts#scheduleKind',
    'web/app/ui/weekday-group.tsx#WeekdayGroup',
  ],
  [
    'List field: items split at a delimiter, comma by default',
    rules('list-text.ts#splitListText'),
    rules('list-text.ts#defaultDelimiter'),
  ],
  ['List field: item count, length and pattern, an error each', rules('list-text.ts#checkListText')],
  ['List field: blank items dropped on leaving', rules('list-text.ts#dropBlankItems')],
  ['List field: pasting merges and de-duplicates', rules('list-text.ts#mergePasted')],
  [
    'Key/value editor: a key is required, duplicates are refused',
    'web/app/ui/key-values-input.tsx#KeyValuesInput',
  ],
  [
    'Fields from a schema: text, number, choice, boolean, several texts, keys with values, else JSON',
    'web/app/alerthub/param-fields.ts#paramFields',
  ],
  [
    'Time zone choices: names, or UTC-12 to UTC+14',
    rules('time-zone.ts#zoneNames'),
    rules('time-zone.ts#utcOffsets'),
  ],
  ['Time zone: the local one by default', rules('time-zone.ts#localZone')],
  [
    'Date-time field text yyyy/MM/dd HH:mm',
    'core/src/format/date-time.ts#formatFieldDateTime',
    'core/src/format/date-time.ts#parseFieldDateTime',
  ],
  [
    'A 400 with invalidParams: each reason at its field',
    rules('reason.ts#invalidParams'),
    'core/src/http/reaction.ts#reactionTo',
  ],
];

export const access = [
  ['A privileged person may do everything', 'core/src/access/claims.ts#can'],
  [
    'Roles of the token and of the groups, expanded through the role map',
    'core/src/access/claims.ts#grantOf',
  ],
  ['A check passes if any required permission is held', 'core/src/access/claims.ts#can'],
  ['Claims that cannot be fetched: not privileged, no roles', 'web/app/signin/grant.server.ts#personOf'],
  ['What each role may do', 'core/src/access/role-map.ts#roleMap'],
  [
    'Why something is refused, and which roles would give it',
    'core/src/access/claims.ts#rolesThatGive',
    'cli/src/tui/world.ts#refusal',
  ],
  ['AlertHub tools need a bulk-operation role', 'core/src/access/menu.ts#seesBulkTools'],
  ['Greac key management needs a log-key role', 'core/src/access/menu.ts#seesLogKeys'],
  ['Features by ticket', 'core/src/access/tickets.ts#hasFeature'],
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
  ['400: each reason at its form field', 'core/src/http/reaction.ts#reactionTo'],
  [
    '403: the forbidden page with error-type, and error-detail for an IP block',
    'core/src/http/reaction.ts#reactionTo',
  ],
  ['404: the not-found page', 'core/src/http/reaction.ts#reactionTo'],
  ['404 tolerated where a thing may be gone', 'core/src/http/null-if-not-found.ts#nullIfNotFound'],
  ['409: a clash, told with its field', 'core/src/http/problem.ts#problemKinds'],
  [
    'Other errors: a toast, unless alerts are off; redirects off per call',
    'core/src/http/reaction.ts#reactionTo',
  ],
  ['Task rejected', 'core/src/work/task.ts#registerTask'],
  ['Chain rejected or failed', 'core/src/work/task.ts#invokeChain'],
  ['The schedule helper throws for an invalid schedule', 'core/src/schedule/schedule.ts#ScheduleError'],
  ['No subscription', 'web/app/shell/no-contract.tsx#NoContract'],
  [
    'Placeholders and "Copied"',
    'core/src/words/en/web.ts#web',
    'web/app/ui/placeholder.tsx#Placeholder',
    'web/app/ui/copy-id.tsx#CopyId',
  ],
];

export const constants = [
  ['Table pages of 5, 10, 25, 50, 100, 500', 'web/app/ui/table-state.ts#pageSizes'],
  ['Walks over everything in pages of 200', 'core/src/http/page.ts#walkPageSize'],
  ['Contract fetched with limit 1', 'web/app/signin/contract.server.ts#contractOf'],
  ['Requests in chunks of 10', 'core/src/http/chunks.ts#chunkSize'],
  ['Polling every 10000 ms', 'core/src/live/polling-interval.ts#pollingInterval'],
  ['Debounce of 500 ms', 'core/src/live/debounce.ts#debounceDelay'],
  [
    'Toasts for 3000 ms, ids modulo 100',
    'core/src/live/toast-queue.ts#toastTime',
    'core/src/live/toast-queue.ts#toastIdCycle',
  ],
  ['Tooltips after 500 ms, none on iPad and iPhone', 'web/app/ui/tooltip.tsx~openDelay = 500'],
  ['Loading dots: 500 ms, one to three', 'web/app/ui/placeholder.tsx~500'],
  ['Theme colours', 'web/app/app.css~#00876e', 'web/app/app.css~#f789f1'],
  [
    'Action kinds and webhook methods',
    'core/src/alerthub/action.ts#actionKinds',
    'core/src/alerthub/action.ts#webhookMethods',
  ],
  ['Severity names', 'core/src/alerthub/severity-name.ts#statuses'],
  [
    'Schedules: oneshot, daily, weekly, monthly; 31 is the last day',
    'core/src/schedule/schedule.ts#scheduleKind',
    'core/src/schedule/run.ts#nextRun',
  ],
  ['Bytes by 1024 with 2 decimals', 'core/src/format/bytes.ts#formatBytes'],
  ['Text cut at 100 characters', 'core/src/format/truncate.ts#truncate'],
  ['Dates by locale, short, on a 24-hour clock', 'core/src/format/date-time.ts#formatDateTime'],
  ['UTC offsets -12 to +14', 'core/src/rules/time-zone.ts#utcOffsets'],
  ['Languages en and ja, Japanese when in doubt', 'core/src/words/language.ts#languages'],
];
