import { Problem } from '@yagura/core/http/problem';
import { dataForm } from '../resource/data-form.ts';
import type { Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { writeItem } from '../resource/output.ts';
import type { Terminal } from '../term/terminal.ts';
import { openSession } from './session.ts';

/** `whoami`: which space, which profile, and who. API tokens have no profile of a person, but must be good. */
export async function whoami(terminal: Terminal, options: { json?: string | true }): Promise<void> {
  const profile = entryNamed('profile');
  const fields = {
    url: { kind: 'url', required: true, nullable: false },
    profile: { kind: 'text', required: true, nullable: true },
    credential: { kind: 'choice', required: true, nullable: false },
    ...profile.fields,
  } as const;
  const form = dataForm(options, Object.keys(fields));
  const session = openSession(terminal);
  const person = await personOf(terminal, session.transport, session.credential?.kind === 'token');
  const row: Row = {
    url: session.origin,
    profile: session.profile ?? null,
    credential: session.credential?.kind ?? null,
    ...person,
  };
  const columns = ['url', 'profile', 'credential', 'displayName', 'email', 'privileged', 'roles', 'userId'];
  await writeItem(terminal, row, { fields, columns }, form, session.transport);
}

async function personOf(
  terminal: Terminal,
  transport: Parameters<typeof entryClient>[1],
  byToken: boolean,
): Promise<Row> {
  try {
    return await entryClient(entryNamed('profile'), transport).show(undefined, {}, terminal.signal);
  } catch (error) {
    if (byToken && error instanceof Problem && error.kind === 'forbidden') return {};
    throw error;
  }
}
