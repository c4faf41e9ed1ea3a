// `profiles list`, `profiles use` and `profiles delete`.
import type { FieldMeta } from '@yagura/core/resource/field';
import type { DataOptions } from '../command-line/data-options.ts';
import { confirm } from '../command-line/prompt.ts';
import { quickFetch } from '../http/quick-fetch.ts';
import { parseOutputFormat } from '../resource/output/output-format.ts';
import { writeRows } from '../resource/output/write-output.ts';
import { assertKnownProfile, type Profiles, readProfiles } from '../signin/profiles.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

const textField: FieldMeta = { kind: 'text', required: true, nullable: true };
const profileFields: Record<string, FieldMeta> = {
  name: textField,
  url: textField,
  credential: { ...textField, kind: 'choice' },
  current: { ...textField, kind: 'boolean' },
};

export async function listProfiles(terminal: Terminal, options: DataOptions): Promise<void> {
  const format = parseOutputFormat(options, Object.keys(profileFields));
  const { current, profiles } = readProfiles(terminal.env);
  const rows = Object.entries(profiles).map(([name, profile]) => ({
    name,
    url: profile.url,
    credential: profile.credential?.kind ?? null,
    current: name === current,
  }));
  const transport = { origin: '', fetch: quickFetch };
  await writeRows(
    terminal,
    rows,
    { fields: profileFields, columns: Object.keys(profileFields) },
    format,
    transport,
  );
  if (rows.length === 0 && terminal.out.isTTY) printMessage(terminal, terminal.t('cli.profiles.none'));
}

export async function useProfile(terminal: Terminal, name: string): Promise<void> {
  await updateProfiles(terminal, (profiles) => {
    assertKnownProfile(profiles, name);
    profiles.current = name;
  });
  printMessage(terminal, terminal.t('cli.profiles.used', { profile: name }));
}

/** Deletes a profile, and revokes a user's tokens at the provider. */
export async function deleteProfile(
  terminal: Terminal,
  name: string,
  options: { yes?: boolean },
): Promise<void> {
  assertKnownProfile(readProfiles(terminal.env), name);
  await confirm(terminal, terminal.t('cli.profiles.ask-delete', { profile: name }), options.yes);
  const credential = await updateProfiles(terminal, (profiles) => {
    assertKnownProfile(profiles, name);
    const removed = profiles.profiles[name]?.credential;
    delete profiles.profiles[name];
    if (profiles.current === name) delete profiles.current;
    return removed;
  });
  if (credential?.kind === 'person') {
    const { revokeRefreshToken } = await import('../signin/revoke-refresh-token.ts');
    await revokeRefreshToken(terminal, credential);
  }
  printMessage(terminal, terminal.t('cli.profiles.deleted', { profile: name }));
}

async function updateProfiles<T>(terminal: Terminal, change: (profiles: Profiles) => T): Promise<T> {
  return (await import('../signin/update-profiles.ts')).updateProfiles(terminal, change);
}
