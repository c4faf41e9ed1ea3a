// Order of package versions as in Debian (deb-version(7)), which also works for rpm, npm and Windows
// versions.

const maxLength = 256;

/** Negative, zero or positive if the first version is older than, equal to or newer than the second. */
export function compareVersions(a: string, b: string): number {
  const left = versionKey(a);
  const right = versionKey(b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * Sort key whose byte order is the version order, so that a database can compare and index it (collation
 * "C"). Only ASCII characters count; characters after the first 256 are ignored.
 */
export function versionKey(version: string): string {
  const text = version.trim().slice(0, maxLength);
  const epoch = /^(\d+):/.exec(text);
  const rest = epoch ? text.slice(epoch[0].length) : text;
  const dash = rest.lastIndexOf('-');
  const upstream = dash < 0 ? rest : rest.slice(0, dash);
  const revision = dash < 0 ? '' : rest.slice(dash + 1);
  return numberKey(epoch?.[1] ?? '') + partKey(upstream) + partKey(revision);
}

/** Non-digit and digit runs alternate; a missing run is empty or zero. */
function partKey(part: string): string {
  let key = '';
  for (const [run, other = '', digits = ''] of part.matchAll(/([^0-9]*)([0-9]*)/g)) {
    // The pattern also matches the empty string after the last run; an empty part counts as zero.
    if (run === '' && key !== '') break;
    for (const character of other) key += characterKey(character);
    key += `"${numberKey(digits)}`;
  }
  // Ends like an empty run, so that `1.0~rc1` sorts before `1.0` and `1.0a` after it.
  return `${key}"`;
}

/** `~` sorts before the end of a run, letters after it, everything else after letters. */
function characterKey(character: string): string {
  if (character === '~') return '!';
  return /[A-Za-z]/.test(character) ? `#${character}` : `$${character}`;
}

/** Digits prefixed with their count, so that 9 sorts before 10. */
function numberKey(digits: string): string {
  const plain = digits.replace(/^0+/, '');
  return String(plain.length).padStart(3, '0') + plain;
}
