// What the home screen shows at one glance. Every part is fetched by itself; one that may not be read or fails says so alone.
import { action } from '@yagura/core/alerthub/action';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { message } from '@yagura/core/alerthub/message';
import { type DayCount, messageCount } from '@yagura/core/alerthub/message-count';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { rule } from '@yagura/core/alerthub/rule';
import { scope } from '@yagura/core/alerthub/scope';
import { type Status, statuses } from '@yagura/core/alerthub/severity-name';
import { all } from '@yagura/core/all';
import { destination } from '@yagura/core/greac/destination';
import { session } from '@yagura/core/greac/session';
import type { ListQuery } from '@yagura/core/http/page';
import { Problem } from '@yagura/core/http/problem';
import { contact } from '@yagura/core/pigeon/contact';
import { result } from '@yagura/core/pigeon/result';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { network } from '@yagura/core/sonar/network';
import { auditRecord } from '@yagura/core/space/audit-record';
import { invitation } from '@yagura/core/space/invitation';
import { user } from '@yagura/core/space/user';
import { loadTranslator } from '@yagura/core/words/dictionary';
import type { Language } from '@yagura/core/words/language';
import { task } from '@yagura/core/work/task-resource';
import { fewColumns, type MiniData } from '../resource/mini-data.server.ts';
import type { Preferences } from '../shell/choice.server.ts';
import { nounText } from '../shell/crumb.ts';
import type { Api } from '../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../signin/grant.server.ts';
import { homeColumns } from './home-columns.ts';

/** Rows of each of the lists. */
const few = 7;
const day = 24 * 3600 * 1000;
/** Days of the grid of messages: half a year of whole weeks. */
const gridDays = 26 * 7;
const runningCalls = 'status eq "waiting" or status eq "preparing" or status eq "processing"';
const runningScans =
  'namespace eq "sonar" and method eq "scan" and (status eq "requested" or status eq "started")';

/** A part of the page, or why it is not there. */
export type Part<T> = { ok: true; value: T } | { ok: false; reason: 'forbidden' | 'error' };

export interface HomeData {
  counts: Part<Record<Status, number>>;
  troubled: Part<MiniData>;
  messages: Part<MiniData>;
  /** Messages of the last 24 hours. */
  recent: Part<Counted>;
  /** Receive slots at which messages stay away. */
  silent: Part<Counted>;
  /** Deliveries that failed, wait or run, newest first. */
  deliveries: Part<MiniData>;
  failed: Part<number>;
  /** Deliveries that wait or run. */
  underWay: Part<number>;
  /** Scans that wait or run. */
  scans: Part<Counted>;
  /** Remote sessions that are open. */
  sessions: Part<Counted>;
  /** Chains of calls that wait or run. */
  calls: Part<Counted>;
  /** Messages of each day, oldest first; the last is today. */
  days: Part<DayCount[]>;
  /** What people and programs changed, newest first. */
  changes: Part<MiniData>;
  /** The steps to a first alert, for whom may take them while there is none; null otherwise. */
  start: Start | null;
  /** What else the person may begin with, as long as there is nothing of it: keys of words and where they lead. */
  beginnings: { labelKey: string; to: string }[];
}

/** A number, and the filter that lists what it counts. */
export interface Counted {
  total: number;
  /** There are more than were counted. */
  isLeast?: boolean;
  filter: string;
}

export interface Start {
  slot: boolean;
  scope: boolean;
  rule: boolean;
  action: boolean;
}

/** The time zone says where days begin, the language what the changes are called in. */
export async function homeData(
  api: Api,
  { timeZone, language }: Pick<Preferences, 'timeZone' | 'language'>,
  now = Date.now(),
): Promise<HomeData> {
  const total = async (resource: AnyResource, query: ListQuery = {}) =>
    (await api.client(resource).list({ ...query, limit: 1 })).total;
  const counted = async (resource: AnyResource, filter: string): Promise<Counted> => {
    const page = await api.client(resource).list({ filter, limit: 1 });
    const isLeast = page.totalIsLeast === true;
    return { total: page.total - (isLeast ? 1 : 0), isLeast, filter };
  };
  const since = new Date(now - day).toISOString();
  const [
    counts,
    troubled,
    messages,
    recent,
    silent,
    deliveries,
    failed,
    underWay,
    scans,
    sessions,
    calls,
    days,
    changes,
    beginnings,
  ] = await Promise.all([
    part(countScopes(total)),
    part(
      fewColumns(
        api,
        scope,
        { filter: 'status ne "normal"', sort: '-severity,-lastEventAt', limit: few },
        homeColumns.troubled,
      ),
    ),
    part(fewColumns(api, message, { sort: '-receivedAt', limit: few }, homeColumns.messages)),
    part(counted(message, `receivedAt ge "${since}"`)),
    part(counted(receiveSlot, 'watchState eq "overdue"')),
    part(
      fewColumns(
        api,
        actionRecord,
        { filter: 'status ne "succeeded"', sort: '-createdAt', limit: few },
        homeColumns.deliveries,
      ),
    ),
    part(total(actionRecord, { filter: 'status eq "failed"' })),
    part(total(actionRecord, { filter: 'status eq "waiting" or status eq "processing"' })),
    part(counted(task, runningScans)),
    part(counted(session, 'status eq "opened"')),
    part(counted(result, runningCalls)),
    part(perDay(api, timeZone ?? 'UTC')),
    part(changesOf(api, language)),
    beginningsOf(api, total),
  ]);
  const quiet = messages.ok && messages.value.total === 0;
  const mayStart = resourcePermissions(await getCurrentUser(api), receiveSlot).create;
  return {
    counts,
    troubled,
    messages,
    recent,
    silent,
    deliveries,
    failed,
    underWay,
    scans,
    sessions,
    calls,
    days,
    changes,
    start: quiet && mayStart ? await firstSteps(total) : null,
    beginnings,
  };
}

type Total = (resource: AnyResource, query?: ListQuery) => Promise<number>;

async function countScopes(total: Total): Promise<Record<Status, number>> {
  const counts = await Promise.all(
    statuses.map((status) => total(scope, { filter: `status eq "${status}"` })),
  );
  return Object.fromEntries(statuses.map((status, index) => [status, counts[index]!])) as Record<
    Status,
    number
  >;
}

async function perDay(api: Api, timeZone: string): Promise<DayCount[]> {
  const query = { days: gridDays, timeZone };
  const { items } = await api.client(messageCount).call<{ items: DayCount[] }>('messages-per-day', { query });
  return items;
}

/** What was done by whom, in words; signing in changes nothing. */
async function changesOf(api: Api, language: Language): Promise<MiniData> {
  const filter = 'outcome eq "done" and resource ne "sign-in"';
  const [data, t] = await Promise.all([
    fewColumns(api, auditRecord, { filter, limit: few }, homeColumns.changes),
    loadTranslator(language),
  ]);
  const rows = data.rows.map((row) => {
    const noun = all.find(({ name }) => name === row.resource)?.noun;
    const word = `verb.${row.action === 'remove' ? 'delete' : row.action}`;
    const action = t(word);
    return {
      ...row,
      resource: noun ? nounText(noun, language, 'one') : row.resource,
      action: action === word ? row.action : action,
    };
  });
  return { ...data, rows };
}

const firsts: { resource: AnyResource; labelKey: string; to: string }[] = [
  { resource: network, labelKey: 'page.begin-sonar', to: '/apps/sonar/networks/new' },
  { resource: destination, labelKey: 'page.begin-greac', to: '/apps/greac/destinations/new' },
  { resource: contact, labelKey: 'page.begin-pigeon', to: '/apps/pigeon/contacts/new' },
  { resource: user, labelKey: 'page.begin-space', to: '/preference/invitations/new' },
];

async function beginningsOf(api: Api, total: Total): Promise<HomeData['beginnings']> {
  const currentUser = await getCurrentUser(api);
  const open = firsts.filter(
    ({ resource }) => resourcePermissions(currentUser, resource === user ? invitation : resource).create,
  );
  // The space has somebody from the start: whoever set it up.
  const none = await Promise.all(
    open.map(async ({ resource }) => {
      const known = await part(total(resource));
      return known.ok && known.value <= (resource === user ? 1 : 0);
    }),
  );
  return open.filter((_first, index) => none[index]).map(({ labelKey, to }) => ({ labelKey, to }));
}

async function firstSteps(total: Total): Promise<Start | null> {
  const found = await Promise.allSettled([receiveSlot, scope, rule, action].map((each) => total(each)));
  const has = (index: number) => {
    const one = found[index]!;
    return one.status === 'fulfilled' && one.value > 0;
  };
  return { slot: has(0), scope: has(1), rule: has(2), action: has(3) };
}

async function part<T>(promise: Promise<T>): Promise<Part<T>> {
  try {
    return { ok: true, value: await promise };
  } catch (error) {
    // A session that is over is a matter of the whole page.
    if (error instanceof Problem && error.kind === 'sign-in-required') throw error;
    const refused = error instanceof Problem && error.kind === 'forbidden';
    return { ok: false, reason: refused ? 'forbidden' : 'error' };
  }
}
