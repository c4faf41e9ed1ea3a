// Loads the home page. Each part is fetched independently; one that is forbidden or fails does not affect the
// others.

import { can } from '@yagura/core/access/permissions';
import { action } from '@yagura/core/alerthub/action';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { message } from '@yagura/core/alerthub/message';
import { type DayCount, messageCount } from '@yagura/core/alerthub/message-count';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { rule } from '@yagura/core/alerthub/rule';
import { scope } from '@yagura/core/alerthub/scope';
import { type ScopeStatus, scopeStatuses } from '@yagura/core/alerthub/scope-status';
import { trigger } from '@yagura/core/alerthub/trigger';
import { resources } from '@yagura/core/all';
import { destination } from '@yagura/core/greac/destination';
import { session } from '@yagura/core/greac/session';
import type { ListQuery } from '@yagura/core/http/page';
import { Problem } from '@yagura/core/http/problem';
import type { Language } from '@yagura/core/i18n/language';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { dataKey, type MessageKey } from '@yagura/core/i18n/message-key';
import { contact } from '@yagura/core/pigeon/contact';
import { result } from '@yagura/core/pigeon/result';
import { type AnyResource, permissionFor } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import { network } from '@yagura/core/sonar/network';
import { auditRecord } from '@yagura/core/space/audit-record';
import { invitation } from '@yagura/core/space/invitation';
import { user } from '@yagura/core/space/user';
import { task } from '@yagura/core/tasks/task';
import { acknowledgeFields } from '../alerthub/screens/scopes/acknowledge.server.ts';
import type { Preferences } from '../preferences/preferences.server.ts';
import { mayAsk } from '../resource/if-permitted.server.ts';
import { type MiniData, miniDataWithColumns, toMiniData } from '../resource/list/mini-data.server.ts';
import { formatNoun } from '../shell/navigation/crumb.ts';
import type { Api } from '../signin/api.server.ts';
import { type CurrentUser, getCurrentUser, resourcePermissions } from '../signin/current-user.server.ts';
import { homeColumns } from './home-columns.ts';
import { homeResources } from './home-resources.server.ts';

/** Maximum rows of each list. */
const maxRows = 7;
const dayMs = 24 * 3600 * 1000;
/** A space that has received more, and has never sent an alert, does not want any. */
const maxMessagesOfNewSpace = 50;
/** Scopes that are asked for triggers. */
const maxScopesOfNewSpace = 5;
/** Days in the message grid: 26 whole weeks. */
const gridDays = 26 * 7;
const runningCallsFilter = 'status eq "waiting" or status eq "preparing" or status eq "processing"';
const runningScansFilter =
  'namespace eq "sonar" and method eq "scan" and (status eq "requested" or status eq "started")';

/** A part of the page, or the reason why it is missing. */
export type SectionResult<T> = { ok: true; value: T } | { ok: false; reason: 'forbidden' | 'error' };

export interface HomeData {
  counts: SectionResult<Record<ScopeStatus, number>>;
  unhealthyScopes: SectionResult<UnhealthyScopesData>;
  messages: SectionResult<MiniData>;
  /** Messages of the last 24 hours. */
  recent: SectionResult<FilteredCount>;
  /** Receive slots whose expected messages are missing. */
  silentSlots: SectionResult<FilteredCount>;
  /** Failed, waiting and running deliveries, newest first. */
  deliveries: SectionResult<MiniData>;
  failed: SectionResult<number>;
  /** Waiting and running deliveries. */
  runningDeliveries: SectionResult<number>;
  /** Waiting and running scans. */
  scans: SectionResult<FilteredCount>;
  /** Open remote sessions. */
  sessions: SectionResult<FilteredCount>;
  /** Waiting and running call chains. */
  calls: SectionResult<FilteredCount>;
  /** Messages per day, oldest first; the last one is today. */
  days: SectionResult<DayCount[]>;
  /** Changes by users and programs, newest first. */
  changes: SectionResult<MiniData>;
  /** Steps to a first alert if the user may take them and there is none yet, else null. */
  setupProgress: SetupProgress | null;
  /** Suggested first actions for resources that are still empty: message keys and links. */
  createLinks: { labelKey: MessageKey; to: string }[];
  /** The user's roles show nothing of this page. */
  isEmpty: boolean;
}

/** Scopes that are not normal, those that nobody has acknowledged first. */
export interface UnhealthyScopesData extends MiniData {
  /** By scope id. */
  scopes: Record<string, { displayName: string; mutedUntil: string | null; raisedAt: string | null }>;
  /** The form of an acknowledgement; null if the user may not acknowledge. */
  acknowledgeFields: Record<string, FieldMeta> | null;
}

/** A count, and the filter that lists the counted rows. */
export interface FilteredCount {
  total: number;
  /** Whether `total` is a lower bound. */
  isLowerBound?: boolean;
  filter: string;
}

export interface SetupProgress {
  slot: boolean;
  scope: boolean;
  rule: boolean;
  action: boolean;
  trigger: boolean;
  /** Where a trigger is added: the form if there is just one scope, else the scopes. */
  triggerHref: string;
}

/** The time zone determines day boundaries, the language the descriptions of changes. */
export async function loadHomeData(
  api: Api,
  { timeZone, language }: Pick<Preferences, 'timeZone' | 'language'>,
  now = Date.now(),
): Promise<HomeData> {
  const countResource = async (resource: AnyResource, query: ListQuery = {}) =>
    (await api.client(resource).list({ ...query, limit: 1 })).total;
  const counted = async (resource: AnyResource, filter: string): Promise<FilteredCount> => {
    const page = await api.client(resource).list({ filter, limit: 1 });
    const isLowerBound = page.totalIsLeast === true;
    return { total: page.total - (isLowerBound ? 1 : 0), isLowerBound, filter };
  };
  const currentUser = await getCurrentUser(api);
  const sectionOf = <T>(resource: AnyResource, load: () => Promise<T>, call = 'list') =>
    mayAsk(currentUser, resource, call)
      ? toSectionResult(load())
      : Promise.resolve<SectionResult<T>>({ ok: false, reason: 'forbidden' });
  const since = new Date(now - dayMs).toISOString();
  const openDeliveries = {
    filter: 'status ne "succeeded"',
    sort: '-createdAt',
    limit: maxRows,
  };
  const runningFilter = 'status eq "waiting" or status eq "processing"';
  const newest = { sort: '-receivedAt', limit: maxRows };
  const [
    counts,
    unhealthyScopes,
    messages,
    recent,
    silentSlots,
    deliveries,
    failed,
    runningDeliveries,
    scans,
    sessions,
    calls,
    days,
    changes,
    createLinks,
  ] = await Promise.all([
    sectionOf(scope, () => countScopes(countResource)),
    sectionOf(scope, () => loadUnhealthyScopes(api, currentUser)),
    sectionOf(message, () => miniDataWithColumns(api, homeResources.messages, newest, homeColumns.messages)),
    sectionOf(message, () => counted(message, `receivedAt ge "${since}"`)),
    sectionOf(receiveSlot, () => counted(receiveSlot, 'watchState eq "overdue"')),
    sectionOf(actionRecord, () =>
      miniDataWithColumns(api, homeResources.deliveries, openDeliveries, homeColumns.deliveries),
    ),
    sectionOf(actionRecord, () => countResource(actionRecord, { filter: 'status eq "failed"' })),
    sectionOf(actionRecord, () => countResource(actionRecord, { filter: runningFilter })),
    sectionOf(task, () => counted(task, runningScansFilter)),
    sectionOf(session, () => counted(session, 'status eq "opened"')),
    sectionOf(result, () => counted(result, runningCallsFilter)),
    sectionOf(messageCount, () => messagesPerDay(api, timeZone ?? 'UTC'), 'messages-per-day'),
    sectionOf(auditRecord, () => recentChanges(api, language)),
    findCreateLinks(currentUser, countResource),
  ]);
  const received = messages.ok ? messages.value.total : Number.POSITIVE_INFINITY;
  const mayStart = resourcePermissions(currentUser, receiveSlot).create;
  const isNew =
    mayStart &&
    received <= maxMessagesOfNewSpace &&
    // The first message is only the first of the steps.
    (received === 0 || (await hasNoDeliveries(countResource)));
  const sections = {
    counts,
    unhealthyScopes,
    messages,
    recent,
    silentSlots,
    deliveries,
    failed,
    runningDeliveries,
    scans,
    sessions,
    calls,
    days,
    changes,
  };
  const isForbidden = (section: SectionResult<unknown>) => !section.ok && section.reason === 'forbidden';
  return {
    ...sections,
    setupProgress: isNew ? await findSetupProgress(api, countResource) : null,
    createLinks,
    isEmpty:
      !currentUser.incomplete && createLinks.length === 0 && Object.values(sections).every(isForbidden),
  };
}

type CountResource = (resource: AnyResource, query?: ListQuery) => Promise<number>;

async function countScopes(countResource: CountResource): Promise<Record<ScopeStatus, number>> {
  const counts = await Promise.all(
    scopeStatuses.map((status) => countResource(scope, { filter: `status eq "${status}"` })),
  );
  return Object.fromEntries(scopeStatuses.map((status, index) => [status, counts[index]!])) as Record<
    ScopeStatus,
    number
  >;
}

async function loadUnhealthyScopes(api: Api, user: CurrentUser): Promise<UnhealthyScopesData> {
  const sort = 'acknowledgedAt,-severity,-lastEventAt';
  const page = await api.client(scope).list({ filter: 'status ne "normal"', sort, limit: maxRows });
  const scopes = page.items.map(({ scopeId, displayName, mutedUntil, raisedAt }) => [
    scopeId,
    { displayName, mutedUntil, raisedAt },
  ]);
  return {
    ...(await toMiniData(api, homeResources.unhealthyScopes, { ...page }, {}, homeColumns.unhealthyScopes)),
    scopes: Object.fromEntries(scopes),
    acknowledgeFields: can(user.permissions, permissionFor(scope, 'acknowledge'))
      ? acknowledgeFields()
      : null,
  };
}

async function messagesPerDay(api: Api, timeZone: string): Promise<DayCount[]> {
  const query = { days: gridDays, timeZone };
  const { items } = await api.client(messageCount).call<{ items: DayCount[] }>('messages-per-day', { query });
  return items;
}

/** Fetches who changed what, as text; sign-ins are not changes. */
async function recentChanges(api: Api, language: Language): Promise<MiniData> {
  const filter = 'outcome eq "done" and resource ne "sign-in"';
  const [data, t] = await Promise.all([
    miniDataWithColumns(api, homeResources.changes, { filter, limit: maxRows }, homeColumns.changes),
    loadTranslator(language),
  ]);
  const rows = data.rows.map((row) => {
    const noun = resources.find(({ name }) => name === row.resource)?.noun;
    const keys = [
      dataKey(`call.${row.resource}.${row.action}`),
      dataKey(`verb.${row.action === 'remove' ? 'delete' : row.action}`),
    ];
    const known = keys.find((key) => t(key) !== key);
    return {
      ...row,
      resource: noun ? formatNoun(noun, language, 'one') : row.resource,
      action: known ? t(known) : row.action,
    };
  });
  return { ...data, rows };
}

const createLinkSources: { resource: AnyResource; labelKey: MessageKey; to: string }[] = [
  { resource: network, labelKey: 'page.begin-sonar', to: '/apps/sonar/networks/new' },
  { resource: destination, labelKey: 'page.begin-greac', to: '/apps/greac/destinations/new' },
  { resource: contact, labelKey: 'page.begin-pigeon', to: '/apps/pigeon/contacts/new' },
  { resource: user, labelKey: 'page.begin-space', to: '/preference/invitations/new' },
];

async function findCreateLinks(
  currentUser: CurrentUser,
  countResource: CountResource,
): Promise<HomeData['createLinks']> {
  const open = createLinkSources.filter(
    ({ resource }) => resourcePermissions(currentUser, resource === user ? invitation : resource).create,
  );
  // A space always has one user, the one who set it up.
  const none = await Promise.all(
    open.map(async ({ resource }) => {
      const known = await toSectionResult(countResource(resource));
      return known.ok && known.value <= (resource === user ? 1 : 0);
    }),
  );
  return open.filter((_first, index) => none[index]).map(({ labelKey, to }) => ({ labelKey, to }));
}

/** Test deliveries are no alerts. */
async function hasNoDeliveries(countResource: CountResource): Promise<boolean> {
  const known = await toSectionResult(countResource(actionRecord, { filter: 'drill eq false' }));
  return known.ok && known.value === 0;
}

/** Null once all is there. */
async function findSetupProgress(api: Api, countResource: CountResource): Promise<SetupProgress | null> {
  const [scopes, ...found] = await Promise.allSettled([
    api.client(scope).list({ limit: maxScopesOfNewSpace }),
    ...[receiveSlot, rule, action].map((each) => countResource(each)),
  ]);
  const has = (index: number) => {
    const one = found[index]!;
    return one.status === 'fulfilled' && one.value > 0;
  };
  const { items, total } = scopes.status === 'fulfilled' ? scopes.value : { items: [], total: 0 };
  const triggers = await Promise.allSettled(
    items.map(({ scopeId }) => api.client(trigger).list({ limit: 1 }, { scopeId })),
  );
  const only = total === 1 ? items[0] : undefined;
  const done = {
    slot: has(0),
    scope: total > 0,
    rule: has(1),
    action: has(2),
    trigger: triggers.some((one) => one.status === 'fulfilled' && one.value.total > 0),
  };
  if (Object.values(done).every(Boolean)) return null;
  return { ...done, triggerHref: only ? `${scope.screen}/${only.scopeId}/triggers/new` : scope.screen! };
}

async function toSectionResult<T>(promise: Promise<T>): Promise<SectionResult<T>> {
  try {
    return { ok: true, value: await promise };
  } catch (error) {
    // An expired session is handled for the whole page.
    if (error instanceof Problem && error.kind === 'sign-in-required') throw error;
    const refused = error instanceof Problem && error.kind === 'forbidden';
    return { ok: false, reason: refused ? 'forbidden' : 'error' };
  }
}
