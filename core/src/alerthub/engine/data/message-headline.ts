// The line that tells what a webhook message is about, from the fields in which monitoring systems write it.

/** Members with a headline, most telling first. */
const headlineKeys = [
  'subject',
  'Subject',
  'alert_subject',
  'title',
  'summary',
  'event_name',
  'message',
  'text',
  'msg',
  'description',
  'AlarmName',
  'alertname',
  'alertRule',
  'monitorName',
  'policy_name',
  'name',
  'info',
  'alarm',
  'content',
  'Message',
];
/** Members that contain a headline, or an object with one. */
const containerKeys = [
  'commonAnnotations',
  'commonLabels',
  'annotations',
  'labels',
  'alert',
  'incident',
  'payload',
  'event',
  'data',
  'essentials',
  'monitor',
];
/** Members with a list whose first object has a headline. */
const listKeys = ['alerts', 'attachments', 'embeds', 'events'];
/** Members that name what the headline is about. */
const placeKeys = ['instance', 'host', 'hostname', 'source'];
/** Members that tell a problem from its end, most telling first. */
const stateKeys = [
  'transition',
  'alert_transition',
  'monitorCondition',
  'event_action',
  'NewStateValue',
  'status',
  'state',
];
/** A state as a person reads it: not a number, a path or a sentence. */
const stateWord = /^\p{L}[\p{L}\p{N} _-]{0,19}$/u;
/** The `{EVENT.VALUE}` of Zabbix. */
const zabbixStates = new Map<unknown, string>([
  ['1', 'problem'],
  ['0', 'resolved'],
]);
/** Members that are not to be seen in lists. */
const secretKey = /key$|token|secret|password|signature|authorization/i;

/** Containers within containers that are searched. */
const maxDepth = 2;
/** Characters of a part; a summary has fewer in all. */
const maxPart = 200;
/** Members that are looked at for want of a headline. */
const maxMembers = 40;

type Fields = Readonly<Record<string, unknown>>;

interface Found {
  headline: string;
  state: string | undefined;
}

/**
 * Returns the headline of a message's data, after the state that it reports, or the data's plain members as
 * `key: value`; undefined if there is neither. With `isCut`, lists of the data may lack elements. Looks at a few members
 * only, whatever the size of the data.
 */
export function messageHeadline(data: unknown, { isCut = false } = {}): string | undefined {
  const first = Array.isArray(data) ? data[0] : data;
  if (!isFields(first)) return undefined;
  const group = alertGroupHeadline(first, isCut);
  if (group) return group;
  const found = findHeadline(first, maxDepth) ?? findKey(first);
  return found ? withState(found) : membersText(first);
}

/** As `[FIRING:2] HostDown on web1`: a group of alerts as Alertmanager and Grafana send it. */
function alertGroupHeadline(group: Fields, isCut: boolean): string | undefined {
  const { alerts, status } = group;
  if (!Array.isArray(alerts) || typeof status !== 'string') return undefined;
  const own = textOf(group, 'title');
  if (own) return own;
  // A firing group also contains the alerts of it that have ended.
  const current = alerts.filter((alert) => isFields(alert) && alert.status === status);
  const first: unknown = current[0] ?? alerts[0];
  if (!isFields(first)) return undefined;
  const common = inner(group, 'commonAnnotations');
  const labels = inner(first, 'labels') ?? inner(group, 'commonLabels') ?? {};
  const headline =
    pickHeadline(common) ??
    pickHeadline(inner(first, 'annotations')) ??
    pickHeadline(labels) ??
    pickHeadline(first);
  if (!headline) return undefined;
  const number = current.length || alerts.length;
  const prefix = `[${status.slice(0, 20).toUpperCase()}:${number}${isCut ? '+' : ''}]`;
  return `${prefix} ${withPlace(headline, labels)}`;
}

function findHeadline(fields: Fields, depth: number): Found | undefined {
  const own = pickHeadline(fields);
  if (own) return { headline: withPlace(own, fields), state: stateOf(fields) };
  if (depth === 0) return undefined;
  for (const key of containerKeys) {
    const nested = inner(fields, key);
    const within = nested && findHeadline(nested, depth - 1);
    if (within) {
      return { headline: withPlace(within.headline, fields), state: within.state ?? stateOf(fields) };
    }
  }
  for (const key of listKeys) {
    const list = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const within = Array.isArray(list) && isFields(list[0]) && findHeadline(list[0], depth - 1);
    if (within) return { ...within, state: within.state ?? stateOf(fields) };
  }
  return undefined;
}

/** An event that resolves an alert of PagerDuty has nothing but its key. */
function findKey(fields: Fields): Found | undefined {
  const headline = textOf(fields, 'dedup_key');
  return headline ? { headline, state: stateOf(fields) } : undefined;
}

function stateOf(fields: Fields): string | undefined {
  // Mackerel leaves the status of an alert that is closed by hand as it was.
  if (Object.hasOwn(fields, 'isOpen') && fields.isOpen === false) return 'closed';
  for (const key of stateKeys) {
    const state = textOf(fields, key)?.trim();
    if (state && stateWord.test(state)) return state;
  }
  return zabbixStates.get(textOf(fields, 'event_value'));
}

/** As `[RESOLVED] Disk full`, so that a problem and its end differ; a headline may begin with its state. */
function withState({ headline, state }: Found): string {
  if (!state) return headline;
  const isFirst = new RegExp(`^[^\\p{L}\\p{N}]*${state}(?![\\p{L}\\p{N}])`, 'iu').test(headline);
  return isFirst ? headline : `[${state.toUpperCase()}] ${headline}`;
}

function pickHeadline(fields: Fields | undefined): string | undefined {
  if (!fields) return undefined;
  for (const key of headlineKeys) {
    const text = textOf(fields, key);
    if (text) return text;
  }
  return undefined;
}

/** Many alerts of a storm have the same headline, so that the host tells them apart. */
function withPlace(headline: string, fields: Fields): string {
  for (const key of placeKeys) {
    if (!Object.hasOwn(fields, key)) continue;
    const place = textOf(fields, key) ?? textOf(inner(fields, key) ?? {}, 'name');
    // A `source` may also be the address of a program.
    if (place && !place.includes('/')) return headline.includes(place) ? headline : `${headline} (${place})`;
  }
  return headline;
}

/** The members that are plain values, and those of their objects, up to the length of a summary. */
function membersText(fields: Fields): string | undefined {
  const parts: string[] = [];
  let length = 0;
  let looked = 0;
  const add = (members: Fields, prefix: string) => {
    for (const key in members) {
      if (length > maxPart || ++looked > maxMembers) return;
      if (!Object.hasOwn(members, key) || secretKey.test(key)) continue;
      const value = members[key];
      if (isFields(value) && prefix === '') add(value, `${key.slice(0, maxPart)}.`);
      if (!isPlain(value) || value === '') continue;
      const part = `${prefix}${key.slice(0, maxPart)}: ${String(value).slice(0, maxPart)}`;
      parts.push(part);
      length += part.length;
    }
  };
  add(fields, '');
  return parts.length > 0 ? parts.join(', ') : undefined;
}

function textOf(fields: Fields, key: string): string | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (typeof value !== 'string') return undefined;
  // Longer than a summary, which counts characters and leaves spaces out.
  const text = value.length > maxPart * 4 ? value.slice(0, maxPart * 4) : value;
  return text.trim() === '' ? undefined : text;
}

function inner(fields: Fields, key: string): Fields | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return isFields(value) ? value : undefined;
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
