// `profiles list` and `profiles use`.
import type { FieldMeta } from '@yagura/core/resource/field';
import { quickFetch } from '../http/quick-fetch.ts';
import { dataForm } from '../resource/data-form.ts';
import { writeRows } from '../resource/output.ts';
import type { DataOptions } from '../term/data-options.ts';
import { closestMatch } from '../term/near.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { readProfiles } from './profiles.ts';

const text: FieldMeta = { kind: 'text', required: true, nullable: true };
const fields: Record<string, FieldMeta> = {
  name: text,
  url: text,
  credential: { ...text, kind: 'choice' },
  current: { ...text, kind: 'boolean' },
};

export async function listProfiles(terminal: Terminal, options: DataOptions): Promise<void> {
  const form = dataForm(options, Object.keys(fields));
  const { current, profiles } = readProfiles(terminal.env);
  const rows = Object.entries(profiles).map(([name, profile]) => ({
    name,
    url: profile.url,
    credential: profile.credential?.kind ?? null,
    current: name === current,
  }));
  const transport = { origin: '', fetch: quickFetch };
  await writeRows(terminal, rows, { fields, columns: Object.keys(fields) }, form, transport);
  if (rows.length === 0 && terminal.out.live) say(terminal, terminal.t('cli.profiles.none'));
}

export async function useProfile(terminal: Terminal, name: string): Promise<void> {
  await (await import('./keep-profiles.ts')).keepProfiles(terminal.env, (profiles) => {
    const known = Object.keys(profiles.profiles);
    if (!known.includes(name)) {
      const close = closestMatch(name, known);
      throw new Usage('cli.usage.unknown-profile', {
        profile: name,
        profiles: (close.length ? close : known).join(', ') || '-',
      });
    }
    profiles.current = name;
  });
  say(terminal, terminal.t('cli.profiles.used', { profile: name }));
}
