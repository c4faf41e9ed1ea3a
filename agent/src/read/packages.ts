// Reads installed packages from dpkg, rpm and apk.
import { agentLimits, type ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import { cleanValue } from './text.ts';

export type Package = NonNullable<ScannedHostInput['packages']>[number];

/** Lines of status, name, version and architecture; only packages whose files are installed. */
export function parseDpkg(text: string): Package[] {
  return packagesOf(
    text.split('\n').flatMap((line) => {
      const [status, name, version, arch] = line.split('\t');
      return status?.[1] === 'i' && name ? [{ name, version, arch }] : [];
    }),
  );
}

/** Lines of name, version and architecture. */
export function parseRpm(text: string): Package[] {
  return packagesOf(
    text.split('\n').flatMap((line) => {
      const [name, version, arch] = line.split('\t');
      // Keys are listed like packages.
      return name && version && name !== 'gpg-pubkey'
        ? [{ name, version, arch: arch === '(none)' ? undefined : arch }]
        : [];
    }),
  );
}

/** Blocks of lines `P:name`, `V:version` and `A:architecture`, separated by empty lines. */
export function parseApk(text: string): Package[] {
  return packagesOf(
    text.split(/\n\s*\n/).flatMap((block) => {
      const field = (letter: string) => new RegExp(`^${letter}:(.*)$`, 'm').exec(block)?.[1];
      const name = field('P');
      return name ? [{ name, version: field('V'), arch: field('A') }] : [];
    }),
  );
}

function packagesOf(rows: readonly { name: string; version?: string; arch?: string }[]): Package[] {
  return rows.slice(0, agentLimits.packagesPerHost).flatMap(({ name, version, arch }) => {
    const cleaned = cleanValue(name);
    if (cleaned === undefined) return [];
    return [{ name: cleaned, version: cleanValue(version) ?? '', arch: cleanValue(arch, 64) ?? '' }];
  });
}
