// Formats integers with thousands separators, the same in all supported languages. Avoids Intl, which needs
// tens of milliseconds to initialize.

/** `1234567` becomes `1,234,567`; a fraction is returned unchanged. */
export function formatWholeNumber(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return String(value);
  const [whole = '', fraction] = String(value).split('.');
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? apart : `${apart}.${fraction}`;
}
