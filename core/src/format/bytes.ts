// Formats byte sizes: base 1024, at most two decimals.

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'];

/**
 * `1536` becomes `1.5 KiB`. Whole bytes have no decimals; a number that is not finite becomes an empty
 * string.
 */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return '';
  let size = Math.abs(bytes);
  let step = 0;
  // Switch to the next unit if rounding reaches the base.
  while (step < units.length - 1 && formatSize(size) >= 1024) {
    size /= 1024;
    step += 1;
  }
  return `${(bytes < 0 ? -1 : 1) * formatSize(size)} ${units[step]}`;
}

function formatSize(size: number): number {
  return Math.round(size * 100) / 100;
}
