// `status`: whether the space answers, and what in it degrades, each with the command that shows more.
import { Problem } from '@yagura/core/http/problem';
import type { FieldMeta } from '@yagura/core/resource/field';
import { dataForm, isTable } from './resource/data-form.ts';
import { entryClient, entryNamed } from './resource/entry-client.ts';
import { writeRows } from './resource/output.ts';
import { openSession } from './signin/session.ts';
import type { DataOptions } from './term/data-options.ts';
import { say, type Terminal } from './term/terminal.ts';

type State = 'good' | 'attention' | 'bad' | 'hidden';

interface Look {
  /** Word key after `cli.status.`. */
  name: string;
  resource: string;
  filter: string;
  /** Only what happened in the last day counts. */
  recent?: boolean;
  /** What one of them makes of the state. */
  state: 'attention' | 'bad';
}

const looks: readonly Look[] = [
  { name: 'incidents', resource: 'scope', filter: 'status eq "incident"', state: 'bad' },
  { name: 'warnings', resource: 'scope', filter: 'status eq "warning"', state: 'attention' },
  { name: 'slots', resource: 'receive-slot', filter: 'watchState eq "overdue"', state: 'bad' },
  { name: 'actions', resource: 'action-record', filter: 'status eq "failed"', recent: true, state: 'bad' },
  { name: 'runbooks', resource: 'runbook-record', filter: 'status eq "failed"', recent: true, state: 'bad' },
  { name: 'calls', resource: 'result', filter: 'status eq "failed"', recent: true, state: 'bad' },
  { name: 'tasks', resource: 'task', filter: 'status eq "failed"', recent: true, state: 'attention' },
  { name: 'agents', resource: 'ksocket-slot', filter: 'connection eq "unconnected"', state: 'attention' },
  { name: 'krokers', resource: 'kroker', filter: 'connectionState eq "unconnected"', state: 'attention' },
  { name: 'mails', resource: 'mail', filter: 'status eq "failed"', recent: true, state: 'bad' },
];

const day = 86_400_000;
const text: FieldMeta = { kind: 'text', required: true, nullable: false };
const fields: Record<string, FieldMeta> = {
  state: {
    ...text,
    kind: 'choice',
    options: ['good', 'attention', 'bad', 'hidden'],
    tones: { good: 'success', attention: 'warning', bad: 'danger', hidden: 'neutral' },
  },
  what: text,
  count: { ...text, kind: 'integer', nullable: true },
  command: text,
};

export async function status(terminal: Terminal, options: DataOptions): Promise<void> {
  const form = dataForm(options, Object.keys(fields));
  const { transport, origin } = openSession(terminal);
  const begun = performance.now();
  // Who may see nothing else still learns here whether the space answers and knows the credential.
  await entryClient(entryNamed('space'), transport)
    .show(undefined, {}, terminal.signal)
    .catch((error) => {
      if (!(error instanceof Problem) || error.kind !== 'forbidden') throw error;
    });
  const milliseconds = Math.round(performance.now() - begun);
  if (isTable(form)) say(terminal, terminal.t('cli.status.answers', { origin, milliseconds }));
  const rows = await Promise.all(
    looks.map(async (look) => {
      const count = await countOf(terminal, transport, look);
      const state: State = count === null ? 'hidden' : count === 0 ? 'good' : look.state;
      const person = isTable(form) && terminal.out.live;
      return {
        state,
        what: person ? terminal.t(`cli.status.${look.name}`) : look.name,
        count,
        command: count ? commandOf(look) : '',
      };
    }),
  );
  await writeRows(terminal, rows, { fields, columns: Object.keys(fields) }, form, transport);
}

/** How many there are; null where they may not be seen. */
async function countOf(
  terminal: Terminal,
  transport: Parameters<typeof entryClient>[1],
  { resource, filter, recent }: Look,
): Promise<number | null> {
  const meta = entryNamed(resource);
  const since = new Date(terminal.now() - day).toISOString();
  const bounded = `${filter} and ${meta.time ?? 'createdAt'} ge "${since}"`;
  const query = { limit: 1, filter: recent ? bounded : filter };
  try {
    return (await entryClient(meta, transport).list(query, {}, terminal.signal)).total;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return null;
    throw error;
  }
}

function commandOf({ name, resource, filter }: Look): string {
  if (name === 'incidents' || name === 'warnings') return 'yagura alerts';
  const { app, plural } = entryNamed(resource);
  return `yagura ${app} ${plural} list --filter '${filter}'`;
}
