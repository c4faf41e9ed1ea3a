// Serializes JSON for PostgreSQL's jsonb, which rejects NUL characters and lone surrogates, as hostile
// messages may contain.

export function toStoreJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\u') || !/\\u0000|\\ud[89a-f]/i.test(text)) return text;
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === 'string' ? toStoreText(inner) : isRecord(inner) ? cleanKeys(inner) : inner,
  );
}

/** Makes text valid for a text column: replaces NUL characters and lone surrogates with U+FFFD. */
export function toStoreText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

function cleanKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [toStoreText(key), value]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
