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
/** Members that are not to be seen in lists. */
const secretKey = /key$|token|secret|password|signature|authorization/i;

/** Containers within containers that are searched. */
const maxDepth = 2;
/** Characters of a part; a summary has fewer in all. */
const maxPart = 200;
/** Members that are looked at for want of a headline. */
const maxMembers = 40;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the headline of a message's data, or its plain members as `key: value`; undefined if there is neither. With
 * `isCut`, lists of the data may lack elements. Looks at a few members only, whatever the size of the data.
 */
export function messageHeadline(data: unknown, { isCut = false } = {}): string | undefined {
  const first = Array.isArray(data) ? data[0] : data;
  if (!isFields(first)) return undefined;
  return alertGroupHeadline(first, isCut) ?? findHeadline(first, maxDepth) ?? membersText(first);
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

function findHeadline(fields: Fields, depth: number): string | undefined {
  const found = pickHeadline(fields);
  if (found) return withPlace(found, fields);
  for (const key of containerKeys) {
    const nested = inner(fields, key);
    const within = nested && depth > 0 ? findHeadline(nested, depth - 1) : undefined;
    if (within) return withPlace(within, fields);
  }
  for (const key of listKeys) {
    const list = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const within =
      Array.isArray(list) && isFields(list[0]) && depth > 0 ? findHeadline(list[0], depth - 1) : undefined;
    if (within) return within;
  }
  return undefined;
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
