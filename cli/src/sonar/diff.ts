// `sonar diff`: what changed between two snapshots of a network.
import type { ListQuery } from '@yagura/core/http/page';
import { Problem } from '@yagura/core/http/problem';
import type { DataOptions } from '../command-line/data-options.ts';
import { ExitError } from '../command-line/report-error.ts';
import { changesExitCode } from '../plan/plan.ts';
import { parseInteger } from '../resource/list.ts';
import { nounOf } from '../resource/meta/noun.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { isTableFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { pickColumns, printCount, writeRows } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

export interface DiffOptions extends DataOptions {
  filter?: string;
  limit?: string;
  columns?: string;
  detailedExitcode?: boolean;
}

/** Columns of the table; the others are for programs. */
const tableColumns = ['change', 'displayName', 'kind', 'entry', 'before', 'after'];

/**
 * Compares a snapshot, by default the last one that succeeded, with another one, by default the one that
 * succeeded before it.
 */
export async function diff(
  terminal: Terminal,
  network: string,
  snapshot: string | undefined,
  base: string | undefined,
  options: DiffOptions,
): Promise<void> {
  const meta = resourceNamed('snapshot-difference');
  const known = Object.keys(meta.fields);
  const format = parseOutputFormat(options, known);
  const columns = pickColumns(options.columns, known) ?? tableColumns;
  const limit = parseInteger(options.limit, '--limit', 1, 1000) ?? 1000;
  const { transport } = openSession(terminal);
  const { signal } = terminal;
  const networkId = await resolveId(resourceNamed('network'), network, transport, {}, signal);
  const snapshots = resourceClient(resourceNamed('snapshot'), transport);
  const last = async () =>
    (
      await snapshots.list(
        { filter: 'status eq "succeeded"', sort: '-createdAt', limit: 1 },
        { networkId },
        signal,
      )
    ).items[0]?.snapshotId;
  const snapshotId = snapshot ?? (await last());
  if (typeof snapshotId !== 'string')
    throw new Problem('not-found', { title: terminal.t('cli.diff.no-scan') });
  const query: ListQuery & { baseSnapshotId?: string } = {
    limit,
    ...(options.filter ? { filter: options.filter } : {}),
    ...(base ? { baseSnapshotId: base } : {}),
  };
  const page = await resourceClient(meta, transport).list(query, { networkId, snapshotId }, signal);
  await writeRows(terminal, page.items, { fields: meta.fields, columns, id: meta.id }, format, transport);
  if (isTableFormat(format)) {
    if (page.total === 0) printMessage(terminal, terminal.t('sonar.difference.none'));
    else printCount(terminal, page.items.length, page.total, nounOf(meta, terminal, 1));
  }
  if (options.detailedExitcode && page.total > 0) throw new ExitError(changesExitCode);
}
