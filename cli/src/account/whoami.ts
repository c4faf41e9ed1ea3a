import { Problem } from '@yagura/core/http/problem';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import type { Row } from '../resource/meta/row.ts';
import { parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `whoami`: prints the space, profile and user. API tokens have no user profile, but are validated. */
export async function showCurrentUser(terminal: Terminal, options: { json?: string | true }): Promise<void> {
  const profile = resourceNamed('profile');
  const fields = {
    url: { kind: 'url', required: true, nullable: false },
    profile: { kind: 'text', required: true, nullable: true },
    credential: { kind: 'choice', required: true, nullable: false },
    ...profile.fields,
  } as const;
  const format = parseOutputFormat(options, Object.keys(fields));
  const session = openSession(terminal);
  const currentUser = await fetchCurrentUser(
    terminal,
    session.transport,
    session.credential?.kind === 'token',
  );
  const row: Row = {
    url: session.origin,
    profile: session.profile ?? null,
    credential: session.credential?.kind ?? null,
    ...currentUser,
  };
  const columns = ['url', 'profile', 'credential', 'displayName', 'email', 'privileged', 'roles', 'userId'];
  await writeItem(terminal, row, { fields, columns }, format, session.transport);
}

async function fetchCurrentUser(
  terminal: Terminal,
  transport: Parameters<typeof resourceClient>[1],
  byToken: boolean,
): Promise<Row> {
  try {
    return await resourceClient(resourceNamed('profile'), transport).show(undefined, {}, terminal.signal);
  } catch (error) {
    if (byToken && error instanceof Problem && error.kind === 'forbidden') return {};
    throw error;
  }
}
