// `status`: checks whether the space responds and lists degraded parts, each with the command that shows
// details.
import { Problem } from '@yagura/core/http/problem';
import type { FieldMeta } from '@yagura/core/resource/field';
import type { DataOptions } from '../command-line/data-options.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { isTableFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { writeRows } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import { serverNow } from '../terminal/clock-skew.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

type HealthState = 'good' | 'attention' | 'bad' | 'hidden';

interface HealthCheck {
  /** Suffix of the message key after `cli.status.`. */
  name:
    | 'incidents'
    | 'warnings'
    | 'slots'
    | 'actions'
    | 'runbooks'
    | 'calls'
    | 'tasks'
    | 'agents'
    | 'conflicts'
    | 'krokers'
    | 'mails';
  resource: string;
  filter: string;
  /** Only count the last 24 hours. */
  recent?: boolean;
  /** State to report when there is at least one. */
  state: 'attention' | 'bad';
}

const healthChecks: readonly HealthCheck[] = [
  { name: 'incidents', resource: 'scope', filter: 'status eq "incident"', state: 'bad' },
  { name: 'warnings', resource: 'scope', filter: 'status eq "warning"', state: 'attention' },
  { name: 'slots', resource: 'receive-slot', filter: 'watchState eq "overdue"', state: 'bad' },
  { name: 'actions', resource: 'action-record', filter: 'status eq "failed"', recent: true, state: 'bad' },
  { name: 'runbooks', resource: 'runbook-record', filter: 'status eq "failed"', recent: true, state: 'bad' },
  { name: 'calls', resource: 'result', filter: 'status eq "failed"', recent: true, state: 'bad' },
  { name: 'tasks', resource: 'task', filter: 'status eq "failed"', recent: true, state: 'attention' },
  { name: 'agents', resource: 'ksocket-slot', filter: 'connection eq "unconnected"', state: 'attention' },
  { name: 'conflicts', resource: 'ksocket-slot', filter: 'agentState eq "conflict"', state: 'bad' },
  { name: 'krokers', resource: 'kroker', filter: 'connectionState eq "unconnected"', state: 'attention' },
  { name: 'mails', resource: 'mail', filter: 'status eq "failed"', recent: true, state: 'bad' },
];

const dayMs = 86_400_000;
const textField: FieldMeta = { kind: 'text', required: true, nullable: false };
const statusFields: Record<string, FieldMeta> = {
  state: {
    ...textField,
    kind: 'choice',
    options: ['good', 'attention', 'bad', 'hidden'],
    tones: { good: 'success', attention: 'warning', bad: 'danger', hidden: 'neutral' },
  },
  what: textField,
  count: { ...textField, kind: 'integer', nullable: true },
  command: textField,
};

export async function showStatus(terminal: Terminal, options: DataOptions): Promise<void> {
  const format = parseOutputFormat(options, Object.keys(statusFields));
  const { transport, origin } = openSession(terminal);
  const startedAt = performance.now();
  // A caller without other permissions still learns here whether the space responds and accepts the
  // credential.
  await resourceClient(resourceNamed('space'), transport)
    .show(undefined, {}, terminal.signal)
    .catch((error) => {
      if (!(error instanceof Problem) || error.kind !== 'forbidden') throw error;
    });
  const milliseconds = Math.round(performance.now() - startedAt);
  if (isTableFormat(format))
    printMessage(terminal, terminal.t('cli.status.answers', { origin, milliseconds }));
  const rows = await Promise.all(
    healthChecks.map(async (check) => {
      const count = await countMatches(terminal, transport, check);
      const state: HealthState = count === null ? 'hidden' : count === 0 ? 'good' : check.state;
      const person = isTableFormat(format) && terminal.out.isTTY;
      return {
        state,
        what: person ? terminal.t(`cli.status.${check.name}`) : check.name,
        count,
        command: count ? commandFor(check) : '',
      };
    }),
  );
  await writeRows(
    terminal,
    rows,
    { fields: statusFields, columns: Object.keys(statusFields) },
    format,
    transport,
  );
}

/** Number of items; null when the caller may not list them. */
async function countMatches(
  terminal: Terminal,
  transport: Parameters<typeof resourceClient>[1],
  { resource, filter, recent }: HealthCheck,
): Promise<number | null> {
  const meta = resourceNamed(resource);
  const since = new Date(serverNow(terminal) - dayMs).toISOString();
  const bounded = `${filter} and ${meta.time ?? 'createdAt'} ge "${since}"`;
  const query = { limit: 1, filter: recent ? bounded : filter };
  try {
    return (await resourceClient(meta, transport).list(query, {}, terminal.signal)).total;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return null;
    throw error;
  }
}

function commandFor({ name, resource, filter }: HealthCheck): string {
  if (name === 'incidents' || name === 'warnings') return 'yagura alerts';
  const { app, plural } = resourceNamed(resource);
  return `yagura ${app} ${plural} list --filter '${filter}'`;
}
