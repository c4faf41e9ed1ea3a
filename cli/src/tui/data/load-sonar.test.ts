// The Sonar view: scans in progress with rate and time left, and actions on the line under the cursor.
import { expect, test } from 'vitest';
import { testContext, testRenderContext } from '../../../test/start-test-tui.tsx';
import type { AppContext } from '../state/app-context.ts';
import { createView } from '../state/navigation.ts';
import { availableActions, selectionIn } from '../state/request-action.ts';
import type { DetailView } from '../state/state.ts';
import { loadSonar } from './load-sonar.ts';

const task = (taskId: string, networkId: string, snapshotId: string | null) => ({
  taskId,
  params: { networkId },
  snapshotId,
  status: 'started',
});
const network = (networkId: string, displayName: string) => ({ networkId, displayName, numberOfNodes: 3 });

let requests: string[];

/** The view of two networks, of which one is scanned, and a scan without a snapshot yet. */
async function loaded(overrides: Partial<AppContext> = {}): Promise<DetailView> {
  requests = [];
  const transport = {
    origin: 'http://space.example',
    fetch: async (url: string) => {
      const { pathname } = new URL(url);
      requests.push(pathname);
      if (pathname.endsWith('/networks'))
        return Response.json({ items: [network('n1', 'Office'), network('n2', 'Plant')], total: 2 });
      if (pathname === '/api/tasks') {
        const tasks = [task('t1', 'n1', null), task('t2', 'n2', 's')];
        return Response.json({ items: tasks, total: tasks.length });
      }
      if (!pathname.endsWith('/n2/snapshots/s')) return Response.json({}, { status: 404 });
      const scan = { status: 'started', probed: 5, toProbe: 10, numberOfNodes: 2, paused: true };
      return Response.json({ ...scan, snapshotId: 's', networkId: 'n2', perSecond: 12.4, secondsLeft: 40 });
    },
  };
  const context = await testContext('en', overrides);
  const { presenter } = await testRenderContext(context);
  const { detail } = await loadSonar(transport, context, presenter, new AbortController().signal);
  return { ...(createView(context, { kind: 'sonar' }) as DetailView), detail };
}

test('shows how far each running scan is, and all networks', async () => {
  const { detail } = await loaded();
  expect(detail!.lines.map(({ label, text }) => [label, text].filter(Boolean).join(': '))).toEqual([
    'Scans in progress (1)',
    'Plant: Running  5/10  2 nodes  Paused  12 packets/s  40 seconds left',
    '',
    'Networks (2)',
    '',
    '',
  ]);
});

test('offers the actions of the scan or network under the cursor', async () => {
  const context = await testContext();
  const view = await loaded();
  const at = (cursor: number) => availableActions(context, { ...view, cursor }).map(({ name }) => name);
  expect(at(0)).toEqual([]);
  expect(at(1)).toEqual(['abort', 'pause', 'resume', 'delete']);
  expect(at(4)).toEqual(expect.arrayContaining(['scan', 'estimate', 'edit']));
  expect(selectionIn(context, { ...view, cursor: 1 })).toMatchObject({
    resource: 'snapshot',
    subjects: [{ id: 's', params: { networkId: 'n2' }, title: 'Plant' }],
  });
});

test('requests only the snapshots of running scans', async () => {
  await loaded();
  expect(requests.filter((path) => path.includes('/snapshots'))).toEqual([
    expect.stringMatching(/\/networks\/n2\/snapshots\/s$/),
  ]);
});

test('shows the networks without permission to list tasks', async () => {
  const { detail } = await loaded({ permissions: ['sonar:networks:list'] });
  expect(detail!.lines.map(({ text }) => text)).toEqual(expect.arrayContaining(['Networks (2)']));
  expect(requests).not.toContain('/api/tasks');
});
