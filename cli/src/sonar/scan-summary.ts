// What a scan found: nodes, new and gone ones, and refusals by reason.
import { dataKey } from '@yagura/core/i18n/message-key';
import type { PathParams } from '@yagura/core/resource/client';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import type { Row } from '../resource/meta/row.ts';
import type { Session } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import type { Terminal } from '../terminal/terminal.ts';

export async function scanSummary(
  { t, signal }: Terminal,
  { transport }: Session,
  snapshot: Row,
): Promise<string[]> {
  const at: PathParams = {
    networkId: String(snapshot.networkId),
    snapshotId: String(snapshot.snapshotId),
  };
  const found = t('cli.scan.nodes', { count: snapshot.numberOfNodes });
  const parts = [t('cli.scan.summary', { found })];
  if (snapshot.status === 'succeeded') {
    const gone = await resourceClient(resourceNamed('snapshot-difference'), transport).list(
      { limit: 1, filter: 'kind eq "host" and change eq "removed"' },
      at,
      signal,
    );
    parts.push(
      t('cli.scan.summary.new', { number: snapshot.numberOfCreatedNodes }),
      t('cli.scan.summary.gone', { number: gone.total }),
    );
  }
  const lines = [parts.join('  ')];
  if (Number(snapshot.numberOfRefusals) === 0) return lines;
  const counts = new Map<string, number>();
  const refusals = resourceClient(resourceNamed('scan-refusal'), transport).fetchAll({}, at, signal);
  for await (const row of refusals) {
    const { reason, errorCode } = row as Row;
    const text = reason === 'OTHER' ? String(errorCode) : t(dataKey(`value.${String(reason)}`));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  lines.push(t('cli.scan.summary.refused', { number: snapshot.numberOfRefusals }));
  for (const [text, number] of [...counts].sort(([, a], [, b]) => b - a))
    lines.push(`  ${number}  ${cleanLine(text)}`);
  return lines;
}
