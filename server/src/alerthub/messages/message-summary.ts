// Builds the one-line summary of a message when it is received.

const maxLength = 200;
/** Bytes; larger bodies are not parsed, and their first line becomes the summary. */
const maxParsed = 65_536;

/** Members that senders use for a headline, most specific first. */
const headlineKeys = [
  'subject',
  'title',
  'summary',
  'message',
  'text',
  'description',
  'AlarmName',
  'alertname',
  'name',
  'event',
];
const containerKeys = [
  'commonAnnotations',
  'commonLabels',
  'annotations',
  'labels',
  'alert',
  'event',
  'data',
];

export function summarize(body: Buffer): string {
  const text = body.subarray(0, maxParsed).toString('utf8');
  const headline = body.length <= maxParsed && /^\s*[{[]/.test(text) ? findHeadline(text) : undefined;
  return toOneLine(headline ?? text);
}

function findHeadline(text: string): string | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  const first = Array.isArray(data) ? data[0] : data;
  if (!isObject(first)) return undefined;
  const found = pickHeadline(first);
  if (found) return found;
  for (const nest of containerKeys) {
    const inner = first[nest];
    const within = isObject(inner) ? pickHeadline(inner) : undefined;
    if (within) return within;
  }
  const alerts = first.alerts;
  return Array.isArray(alerts) && isObject(alerts[0]) ? pickHeadline(alerts[0]) : undefined;
}

function pickHeadline(data: Record<string, unknown>): string | undefined {
  for (const name of headlineKeys) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** Reduces a text to one line of at most the length of a summary. */
export function toOneLine(text: string): string {
  // Control characters and bidirectional overrides would let a sender manipulate the displayed line.
  const clean = text
    .slice(0, maxLength * 4)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...clean];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : clean;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
