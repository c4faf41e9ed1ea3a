import { Problem } from '@yagura/core/http/problem';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import type { Row } from '../resource/meta/row.ts';
import { parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `whoami`: prints the space, profile, and the user or what the API token grants. */
export async function showCurrentUser(terminal: Terminal, options: { json?: string | true }): Promise<void> {
  const profile = resourceNamed('profile');
  const fields = {
    url: { kind: 'url', required: true, nullable: false },
    profile: { kind: 'text', required: true, nullable: true },
    credential: { kind: 'choice', required: true, nullable: false },
    ...profile.fields,
    expiresAt: resourceNamed('api-token').fields.expiresAt!,
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
  await writeItem(
    terminal,
    row,
    { fields, columns: 'expiresAt' in row ? [...columns, 'expiresAt'] : columns },
    format,
    session.transport,
  );
}

async function fetchCurrentUser(
  { signal }: Terminal,
  transport: Parameters<typeof resourceClient>[1],
  byToken: boolean,
): Promise<Row> {
  if (!byToken) return resourceClient(resourceNamed('profile'), transport).show(undefined, {}, signal);
  const { callStandalone } = await import('@yagura/core/standalone-calls');
  try {
    const { apiTokenId: _, ...token } = await callStandalone(transport, 'current-api-token', { signal });
    return token;
  } catch (error) {
    // Not every space has this call; the token was accepted.
    if (error instanceof Problem && error.kind === 'not-found') return {};
    throw error;
  }
}
