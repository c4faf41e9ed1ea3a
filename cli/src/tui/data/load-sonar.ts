// Loads the Sonar view: scans in progress with rate and time left, and the networks.
import { settleInChunks } from '@yagura/core/http/chunks';
import type { Transport } from '@yagura/core/http/transport';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Row } from '../../resource/meta/row.ts';
import type { Presenter } from '../../resource/output/present-value.ts';
import { scanProgressText } from '../../sonar/scan-progress.ts';
import { cleanLine } from '../../terminal/clean.ts';
import type { AppContext } from '../state/app-context.ts';
import type { Detail, DetailLine } from '../state/state.ts';
import { appendSection } from './detail-section.ts';
import { loadPreviewRows } from './load-list.ts';

/** Networks shown; the list of networks has all of them. */
const maxNetworks = 100;

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
  { t }: AppContext,
  presenter: Presenter,
  signal: AbortSignal,
): Promise<LoadedSonar> {
  const network = resourceNamed('network');
  const networks = await loadPreviewRows(
    transport,
    network,
    { limit: maxNetworks, sort: 'displayName' },
    {},
    signal,
  );
  const running = await runningScans(transport, networks.rows, signal);
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
    Date.now(),
  );
  return { type: 'sheet', title: t('tui.sonar'), detail };
}

/** A network has one scan at a time. */
async function runningScans(
  transport: Transport,
  networks: readonly Row[],
  signal: AbortSignal,
): Promise<{ name: string; snapshot: Row }[]> {
  const snapshots = resourceClient(resourceNamed('snapshot'), transport);
  const found = await settleInChunks(
    networks,
    async ({ networkId, displayName }) => {
      const { items } = await snapshots.list(
        { limit: 1, filter: 'status eq "requested" or status eq "started"' },
        { networkId: String(networkId) },
        signal,
      );
      return items.map((snapshot) => ({ name: String(displayName), snapshot }));
    },
    { signal },
  );
  return found.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
}
