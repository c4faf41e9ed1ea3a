// `alerts`: lists scopes that need attention, once or continuously.
import { formatAge } from '@yagura/core/format/duration';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { FieldMeta } from '@yagura/core/resource/field';
import type { Fields } from '@yagura/core/resource/resource-meta';
import type { DataOptions } from '../command-line/data-options.ts';
import { errorMessages } from '../command-line/report-error.ts';
import { selectFields } from '../command-line/select-fields.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { watchForChanges } from '../live/watch-for-changes.ts';
import { parseInteger } from '../resource/list.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import {
  formatFlag,
  isTableFormat,
  type OutputFormat,
  parseOutputFormat,
} from '../resource/output/output-format.ts';
import { createPresenter, presentValue } from '../resource/output/present-value.ts';
import { tabSeparatedLine, writeRows } from '../resource/output/write-output.ts';
import { openSession, type Session } from '../signin/session.ts';
import { cleanJson, cleanLine } from '../terminal/clean.ts';
import { serverNow } from '../terminal/clock-skew.ts';
import { measureFor, wideMeasure } from '../terminal/measure.ts';
import { formatTable } from '../terminal/table.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import {
  isAcknowledged,
  loadScope,
  loadUnsettledScopes,
  type Scope,
  type UnsettledScope,
} from './unsettled-scopes.ts';

export interface AlertsOptions extends DataOptions {
  watch?: boolean;
  every?: string;
  /** Leaves out what somebody has acknowledged. */
  unacknowledged?: boolean;
}

const defaultIntervalSeconds = 5;
/** Columns in a pipe, with and without `--watch`. */
const lineColumns = ['status', 'scopeId', 'displayName', 'severity', 'lastEventAt', 'lastEvent'];

export async function showAlerts(terminal: Terminal, options: AlertsOptions): Promise<void> {
  const fields = alertFields();
  const format = parseOutputFormat(options, Object.keys(fields));
  const interval = parseInteger(options.every, '--every', 2, 10) ?? defaultIntervalSeconds;
  if (options.watch && format && !['json', 'ndjson'].includes(format.kind))
    throw new UsageError('cli.usage.together', { flags: `--watch, ${formatFlag(format)}` });
  const session = openSession(terminal);
  const selection = options.unacknowledged ? unacknowledgedOnly : allAlerts;
  const scopes = await loadSelected(terminal, session, selection);
  if (options.watch) return watchAlerts(terminal, session, scopes, selection, format, interval * 1000);
  if (format && isTableFormat(format)) {
    const columns = [
      ...['status', 'displayName', 'severity'],
      ...(scopes.some(isAcknowledged) ? ['acknowledgedBy'] : []),
      ...['lastEventAt', 'lastEvent'],
    ];
    const shape = {
      fields: { ...fields, lastEvent: { kind: 'text', required: true, nullable: true } },
      columns,
      id: 'scopeId',
      title: 'displayName',
      labels: { lastEvent: terminal.t('label.event') },
    } as const;
    const rows = scopes.map((scope) => ({
      ...scope,
      lastEvent: scope.lastEvent && eventText(scope.lastEvent),
    }));
    await writeRows(terminal, rows as never[], shape, format, session.transport);
  } else if (format || !terminal.out.isTTY) {
    await writeRows(terminal, scopes as never[], { fields, columns: lineColumns }, format, session.transport);
  } else terminal.out.write(await alertsTable(terminal, scopes, selection));
}

/** Which alerts are shown, and what is said if there are none. */
interface Selection {
  includes(scope: Scope): boolean;
  emptyKey: MessageKey;
}

const allAlerts: Selection = { includes: () => true, emptyKey: 'cli.alerts.none' };
const unacknowledgedOnly: Selection = {
  includes: (scope) => !isAcknowledged(scope),
  emptyKey: 'cli.alerts.none-unacknowledged',
};

async function loadSelected(
  { signal }: Terminal,
  { transport }: Session,
  selection: Selection,
): Promise<UnsettledScope[]> {
  return (await loadUnsettledScopes(transport, signal)).filter(selection.includes);
}

/** The fields of a row: those of its scope, and its last event. */
export function alertFields(): Fields {
  const lastEvent: FieldMeta = {
    kind: 'object',
    required: true,
    nullable: true,
    fields: resourceNamed('event').fields,
  };
  return { ...resourceNamed('scope').fields, lastEvent };
}

/** Table for a terminal: status, name, severity, who acknowledged it, last event and its age. */
async function alertsTable(
  terminal: Terminal,
  scopes: readonly UnsettledScope[],
  { emptyKey }: Selection,
): Promise<string> {
  const { t } = terminal;
  if (scopes.length === 0) return `${terminal.out.paint('success', t(emptyKey))}\n`;
  const { fields } = resourceNamed('scope');
  const hasAcknowledged = scopes.some(isAcknowledged);
  const presenter = createPresenter(terminal);
  const rows = scopes.map((scope) => [
    presentValue(scope.status, fields.status, presenter),
    { text: cleanLine(scope.displayName) },
    { text: String(scope.severity) },
    ...(hasAcknowledged ? [{ text: cleanLine(scope.acknowledgedBy ?? '-') }] : []),
    { text: scope.lastEvent ? cleanLine(eventText(scope.lastEvent)) : '-' },
    { text: scope.lastEventAt ? formatAge(scope.lastEventAt, serverNow(terminal), t) : '-' },
  ]);
  const columns = [
    { title: t('label.status'), whole: true },
    { title: t('label.displayName'), name: true },
    { title: t('label.severity'), whole: true, right: true },
    ...(hasAcknowledged ? [{ title: t('label.acknowledgedBy') }] : []),
    { title: t('label.lastEventAt') },
    { title: t('cli.alerts.age'), whole: true },
  ];
  const measure = await measureFor([
    ...columns.map(({ title }) => title),
    ...rows.flat().map(({ text }) => text),
  ]);
  return `${formatTable(columns, rows, terminal.columns, measure, terminal.out.paint).join('\n')}\n`;
}

function eventText(event: NonNullable<UnsettledScope['lastEvent']>): string {
  return `${event.severityName} ${event.delta > 0 ? '+' : ''}${event.delta} → ${event.severity}`;
}

async function watchAlerts(
  terminal: Terminal,
  session: Session,
  first: readonly UnsettledScope[],
  selection: Selection,
  format: OutputFormat | undefined,
  interval: number,
): Promise<void> {
  const screen = terminal.out.isTTY && !format;
  let known = new Map<string, UnsettledScope>();
  const showScopes = async (scopes: readonly UnsettledScope[]) => {
    if (screen) return terminal.out.write(`\x1b[H\x1b[2J${await alertsTable(terminal, scopes, selection)}`);
    const now = new Map(scopes.map((scope) => [scope.scopeId, scope]));
    for (const [id, before] of known) {
      if (now.has(id)) continue;
      const found = await loadScope(session.transport, id, terminal.signal);
      // It may have been raised again since the list was read.
      if (found && found.status !== 'normal') {
        if (selection.includes(found)) now.set(id, found);
        else terminal.out.write(`${formatScopeLine(found, format)}\n`);
      } else terminal.out.write(`${formatSettledLine(found ?? { ...before, lastEvent: null }, format)}\n`);
    }
    for (const [id, scope] of now) {
      const line = formatScopeLine(scope, format);
      const before = known.get(id);
      if (!before || formatScopeLine(before, format) !== line) terminal.out.write(`${line}\n`);
    }
    known = now;
  };
  await showScopes(first);
  let lastSuccessAt = terminal.now();
  let lastReason = '';
  const isRelevant = ({ resource }: { resource: string }) =>
    ['scope', 'event', 'severity'].includes(resource);
  for await (const _ of watchForChanges(session, interval, terminal.signal, isRelevant)) {
    try {
      await showScopes(await loadSelected(terminal, session, selection));
      lastSuccessAt = terminal.now();
      lastReason = '';
    } catch (error) {
      if (terminal.signal.aborted) return;
      const reason = errorMessages(terminal, error)[0]!;
      const age = formatAge(lastSuccessAt, terminal.now(), terminal.t);
      const line = terminal.t('cli.alerts.update-failed', { age, reason });
      // A terminal shows one line with a running count; a file gets a line only when the error changes.
      // It is cut to the width, because a wrapped line could not be rewritten.
      if (terminal.err.isTTY) {
        const shown = (await wideMeasure()).cut(cleanLine(line), terminal.columns - 1);
        terminal.err.write(`${lastReason === '' ? '' : '\x1b[1A\r\x1b[K'}${shown}\n`);
      } else if (reason !== lastReason) printMessage(terminal, cleanLine(line));
      lastReason = reason;
    }
  }
}

function formatScopeLine(scope: UnsettledScope, format: OutputFormat | undefined): string {
  if (format) return cleanJson(format.fields ? selectFields({ ...scope }, format.fields) : scope);
  return tabSeparatedLine({ ...scope }, lineColumns);
}

/** A scope that became normal or was deleted is reported once, as normal with severity 0. */
function formatSettledLine(scope: UnsettledScope, format: OutputFormat | undefined): string {
  return formatScopeLine({ ...scope, status: 'normal', severity: 0 }, format);
}
