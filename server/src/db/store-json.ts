// JSON that PostgreSQL's jsonb takes: it refuses NUL characters and lone surrogates, which hostile messages hold.

export function toStoreJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u0000|\\ud[89a-f]/i.test(text)) return text;
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === 'string' ? toStoreText(inner) : isRecord(inner) ? cleanKeys(inner) : inner,
  );
}

/** Text for a text column: the same two kinds of character become U+FFFD. */
export function toStoreText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

function cleanKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [toStoreText(key), value]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
