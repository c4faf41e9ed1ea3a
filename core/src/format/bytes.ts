// Sizes in bytes for people: base 1024, at most two decimals (spec section 9).

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'];

/** `1536` becomes `1.5 KiB`. Whole bytes have no decimals; what is not a finite number becomes an empty text. */
export function formatBytes(bytes: number): string {
  return scaled(bytes, 1024, units, ' ');
}

/** Scales by a base and writes at most two decimals; moves on to the next unit when rounding reaches the base. */
export function scaled(value: number, base: number, names: readonly string[], gap: string): string {
  if (!Number.isFinite(value)) return '';
  let size = Math.abs(value);
  let step = 0;
  while (step < names.length - 1 && rounded(size) >= base) {
    size /= base;
    step += 1;
  }
  const number = (value < 0 ? -1 : 1) * rounded(size);
  const text = number < 1e21 && number > -1e21 ? String(number) : number.toFixed(0);
  return names[step] === '' ? text : `${text}${gap}${names[step]}`;
}

function rounded(size: number): number {
  return Math.round(size * 100) / 100;
}
