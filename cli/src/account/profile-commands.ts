// `profiles list` and `profiles use`.
import type { FieldMeta } from '@yagura/core/resource/field';
import { closestMatch } from '../command-line/closest-match.ts';
import type { DataOptions } from '../command-line/data-options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { quickFetch } from '../http/quick-fetch.ts';
import { parseOutputFormat } from '../resource/output/output-format.ts';
import { writeRows } from '../resource/output/write-output.ts';
import { readProfiles } from '../signin/profiles.ts';
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
  await (await import('../signin/update-profiles.ts')).updateProfiles(terminal.env, (profiles) => {
    const known = Object.keys(profiles.profiles);
    if (!known.includes(name)) {
      const close = closestMatch(name, known);
      throw new UsageError('cli.usage.unknown-profile', {
        profile: name,
        profiles: (close.length ? close : known).join(', ') || '-',
      });
    }
    profiles.current = name;
  });
  printMessage(terminal, terminal.t('cli.profiles.used', { profile: name }));
}
