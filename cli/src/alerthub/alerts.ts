// `alerts`: what needs attention now, once or for as long as somebody watches.
import { formatAge } from '@yagura/core/format/duration';
import type { FieldMeta } from '@yagura/core/resource/field';
import { timesToLook } from '../live/changes.ts';
import { type DataForm, dataForm } from '../resource/data-form.ts';
import type { Fields } from '../resource/entry.ts';
import { entryNamed } from '../resource/entry-client.ts';
import { wholeNumber } from '../resource/list.ts';
import { writeRows } from '../resource/output.ts';
import { plainValue, present, presenterOf } from '../resource/present.ts';
import { openSession, type Session } from '../signin/session.ts';
import { cleanField, cleanJson, cleanLine } from '../term/clean.ts';
import type { DataOptions } from '../term/data-options.ts';
import { sentences } from '../term/failure.ts';
import { chosen } from '../term/json.ts';
import { measureFor } from '../term/measure.ts';
import { tableLines } from '../term/table.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { scopeNow, type UnsettledScope, unsettledScopes } from './unsettled-scopes.ts';

export interface AlertsOptions extends DataOptions {
  watch?: boolean;
  every?: string;
}

const defaultIntervalSeconds = 5;

export async function alerts(terminal: Terminal, options: AlertsOptions): Promise<void> {
  const fields = alertFields();
  const form = dataForm(options, Object.keys(fields));
  const every = wholeNumber(options.every, '--every', 2, 10) ?? defaultIntervalSeconds;
  if (options.watch && form && !['json', 'ndjson'].includes(form.style))
    throw new Usage('cli.usage.together', { flags: `--watch, ${form.style}` });
  const session = openSession(terminal);
  const scopes = await unsettledScopes(session.transport, terminal.signal);
  if (options.watch) return watch(terminal, session, scopes, form, every * 1000);
  if (form || !terminal.out.live) {
    const columns = ['status', 'scopeId', 'displayName', 'severity', 'lastEventAt', 'lastEvent'];
    await writeRows(terminal, scopes as never[], { fields, columns }, form, session.transport);
  } else terminal.out.write(await alertsTable(terminal, scopes));
}

function alertFields(): Fields {
  const lastEvent: FieldMeta = {
    kind: 'object',
    required: true,
    nullable: true,
    fields: entryNamed('event').fields,
  };
  return { ...entryNamed('scope').fields, lastEvent };
}

/** Rows for a person: status, name, severity, what changed last and how long ago. */
async function alertsTable(terminal: Terminal, scopes: readonly UnsettledScope[]): Promise<string> {
  const { t } = terminal;
  if (scopes.length === 0) return `${terminal.out.paint('success', t('cli.alerts.none'))}\n`;
  const { fields } = entryNamed('scope');
  const presenter = presenterOf(terminal);
  const rows = scopes.map((scope) => [
    present(scope.status, fields.status, presenter),
    { text: cleanLine(scope.displayName) },
    { text: String(scope.severity) },
    { text: scope.lastEvent ? cleanLine(eventText(scope.lastEvent)) : '-' },
    { text: scope.lastEventAt ? formatAge(scope.lastEventAt, terminal.now(), t) : '-' },
  ]);
  const columns = [
    { title: t('label.status'), whole: true },
    { title: t('label.displayName') },
    { title: t('label.severity'), whole: true, right: true },
    { title: t('label.lastEventAt') },
    { title: t('cli.alerts.age'), whole: true },
  ];
  const measure = await measureFor([
    ...columns.map(({ title }) => title),
    ...rows.flat().map(({ text }) => text),
  ]);
  return `${tableLines(columns, rows, terminal.columns, measure, terminal.out.paint).join('\n')}\n`;
}

function eventText(event: NonNullable<UnsettledScope['lastEvent']>): string {
  return `${event.severityName} ${event.delta > 0 ? '+' : ''}${event.delta} → ${event.severity}`;
}

async function watch(
  terminal: Terminal,
  session: Session,
  first: readonly UnsettledScope[],
  form: DataForm | undefined,
  every: number,
): Promise<void> {
  const screen = terminal.out.live && !form;
  let known = new Map<string, UnsettledScope>();
  const shownAs = async (scopes: readonly UnsettledScope[]) => {
    if (screen) return terminal.out.write(`\x1b[H\x1b[2J${await alertsTable(terminal, scopes)}`);
    const now = new Map(scopes.map((scope) => [scope.scopeId, scope]));
    for (const [id, before] of known) {
      if (now.has(id)) continue;
      const found = await scopeNow(session.transport, id, terminal.signal);
      // It may have been raised again since the list was read.
      if (found && found.status !== 'normal') now.set(id, found);
      else terminal.out.write(`${settledLine(found ?? { ...before, lastEvent: null }, form)}\n`);
    }
    for (const [id, scope] of now) {
      const line = lineOf(scope, form);
      const before = known.get(id);
      if (!before || lineOf(before, form) !== line) terminal.out.write(`${line}\n`);
    }
    known = now;
  };
  await shownAs(first);
  let seen = terminal.now();
  let lost = '';
  const concerns = ({ resource }: { resource: string }) => ['scope', 'event', 'severity'].includes(resource);
  for await (const _ of timesToLook(session, every, terminal.signal, concerns)) {
    try {
      await shownAs(await unsettledScopes(session.transport, terminal.signal));
      seen = terminal.now();
      lost = '';
    } catch (error) {
      if (terminal.signal.aborted) return;
      const reason = sentences(terminal, error)[0]!;
      const age = formatAge(seen, terminal.now(), terminal.t);
      const line = terminal.t('cli.alerts.lost', { age, reason });
      // A person sees one line that counts on; a file gets one line for each way in which it goes wrong.
      if (terminal.err.live)
        terminal.err.write(`${lost === '' ? '' : '\x1b[1A\r\x1b[K'}${cleanLine(line)}\n`);
      else if (reason !== lost) say(terminal, cleanLine(line));
      lost = reason;
    }
  }
}

function lineOf(scope: UnsettledScope, form: DataForm | undefined): string {
  if (form) return cleanJson(form.fields ? chosen({ ...scope }, form.fields) : scope);
  const { status, scopeId, displayName, severity, lastEventAt } = scope;
  return [status, scopeId, displayName, severity, lastEventAt]
    .map((value) => cleanField(plainValue(value)))
    .join('\t');
}

/** A scope that became normal, or is gone, is told once, as normal with severity 0. */
function settledLine(scope: UnsettledScope, form: DataForm | undefined): string {
  if (form) return lineOf({ ...scope, status: 'normal', severity: 0 }, form);
  return ['normal', scope.scopeId, scope.displayName, '0', ''].map(cleanField).join('\t');
}
