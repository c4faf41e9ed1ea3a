// Reads installed packages from the package managers of Linux and the BSDs, and applications of macOS.
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

/** Lines of name, version and ABI, such as `FreeBSD:14:amd64`, whose last part is the architecture. */
export function parsePkg(text: string): Package[] {
  return packagesOf(
    text.split('\n').flatMap((line) => {
      const [name, version, abi] = line.split('\t');
      return name && version ? [{ name, version, arch: abi?.split(':').slice(2).join(':') }] : [];
    }),
  );
}

/** `pkg_info`: lines of name and version, joined by a hyphen, and a description. */
export function parsePkgInfo(text: string): Package[] {
  return packagesOf(
    text.split('\n').flatMap((line) => {
      const [, name, version] = /^(\S+)-(\d\S*)(?:\s|$)/.exec(line) ?? [];
      return name ? [{ name, version }] : [];
    }),
  );
}

/** Lines of the name of an application's folder and its version. */
export function parseApplications(text: string): Package[] {
  return packagesOf(
    text.split('\n').flatMap((line) => {
      const [folder, version] = line.split('\t');
      const name = folder?.endsWith('.app') ? folder.slice(0, -'.app'.length) : '';
      // The pattern itself, if there are no applications.
      return name && name !== '*' ? [{ name, version }] : [];
    }),
  );
}

/** Rows with names and versions that fit the fields. */
export function packagesOf(
  rows: readonly { name: string; version?: string | undefined; arch?: string | undefined }[],
): Package[] {
  return rows.slice(0, agentLimits.packagesPerHost).flatMap(({ name, version, arch }) => {
    const cleaned = cleanValue(name);
    if (cleaned === undefined) return [];
    return [{ name: cleaned, version: cleanValue(version) ?? '', arch: cleanValue(arch, 64) ?? '' }];
  });
}
