// Loads the Sonar view: scans in progress with rate and time left, and the networks.
import { settleInChunks } from '@yagura/core/http/chunks';
import type { Transport } from '@yagura/core/http/transport';
import { referenceNames } from '../../resource/meta/reference-names.ts';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Row } from '../../resource/meta/row.ts';
import type { Presenter } from '../../resource/output/present-value.ts';
import { scanProgressText } from '../../sonar/scan-progress.ts';
import { cleanLine } from '../../terminal/clean.ts';
import { type AppContext, canList } from '../state/app-context.ts';
import type { Detail, DetailLine } from '../state/state.ts';
import { appendSection } from './detail-section.ts';
import { ignoreInaccessible, runningScanFilter } from './load-home.ts';
import { loadPreviewRows } from './load-list.ts';

/** Networks shown; the list of networks has all of them. */
const maxNetworks = 100;
/** Running scans shown. */
const maxScans = 100;

const networkFields = [
  'displayName',
  'numberOfNodes',
  'numberOfNewNodes',
  'numberOfOutdatedNodes',
  'lastScanSucceededAt',
];

interface LoadedSonar {
  type: 'sheet';
  title: string;
  detail: Detail;
}

export async function loadSonar(
  transport: Transport,
  context: AppContext,
  presenter: Presenter,
  signal: AbortSignal,
): Promise<LoadedSonar> {
  const { t } = context;
  const network = resourceNamed('network');
  const [networks, running] = await Promise.all([
    loadPreviewRows(transport, network, { limit: maxNetworks, sort: 'displayName' }, {}, signal),
    runningScans(transport, context, signal),
  ]);
  const title: DetailLine = {
    key: 'scans',
    depth: 0,
    text: `${t('tui.part.scans')} (${running.length})`,
    style: 'bold',
  };
  const scans = running.map(
    ({ name, snapshot }): DetailLine => ({
      key: `scan:${String(snapshot.snapshotId)}`,
      depth: 1,
      label: cleanLine(name),
      text: scanProgressText(t, snapshot),
      title: cleanLine(name),
      link: {
        kind: 'item',
        resource: 'snapshot',
        params: { networkId: String(snapshot.networkId) },
        id: String(snapshot.snapshotId),
      },
    }),
  );
  const detail = appendSection(
    { lines: [title, ...scans], tables: [] },
    {
      ...networks,
      key: 'networks',
      title: t('tui.part.networks'),
      meta: network,
      params: {},
      fields: networkFields,
    },
    presenter,
    presenter.now(),
  );
  return { type: 'sheet', title: t('tui.sonar'), detail };
}

interface ScanRow {
  /** Name of the network. */
  name: string;
  snapshot: Row;
}

/** Empty without permission to list tasks. A snapshot that is deleted meanwhile is omitted. */
async function runningScans(
  transport: Transport,
  context: AppContext,
  signal: AbortSignal,
): Promise<readonly ScanRow[]> {
  const task = resourceNamed('task');
  if (!canList(context, task)) return [];
  const query = { limit: maxScans, filter: runningScanFilter, sort: '-createdAt' };
  const page = await resourceClient(task, transport).list(query, {}, signal).catch(ignoreInaccessible);
  const items = page?.items ?? [];
  const snapshot = resourceNamed('snapshot');
  const client = resourceClient(snapshot, transport);
  const outcomes = await settleInChunks(
    items.filter(({ snapshotId }) => snapshotId !== null),
    ({ snapshotId, params }) => {
      const { networkId } = params as { networkId?: string };
      return client.show(String(snapshotId), { networkId }, signal);
    },
    { signal },
  );
  const rows = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const names = await referenceNames(rows, snapshot.fields, ['networkId'], transport, signal);
  return rows.map((row) => {
    const networkId = String(row.networkId);
    return { name: names.get(networkId) ?? networkId, snapshot: row };
  });
}
