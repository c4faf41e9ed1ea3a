// Adds through the API what the demo data lacks, so that every page has content.
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiAccess, callApi, type Item } from '@yagura/fixtures/testbed/api';
import { siteHosts } from '@yagura/fixtures/testbed/site-hosts';
import { connectAgent } from '@yagura/fixtures/testbed/test-agent';

/** Timeout in milliseconds for awaited results. */
const timeoutMs = 30_000;

export async function seedDemo(server: ApiAccess): Promise<void> {
  await Promise.all([seedSonar(server), seedAlertHub(server), seedBulkFiles(server), seedPigeon(server)]);
}

/** Creates a network with two scans and a notification setting. */
async function seedSonar(server: ApiAccess): Promise<void> {
  const post = createPoster(server);
  const slot = await post('/api/ksocket/slots', { displayName: 'Walk' });
  const { token } = await post(`/api/ksocket/slots/${slot.ksocketSlotId}/tokens`, { displayName: 'Walk' });
  const network = await post('/api/apps/sonar/networks', {
    displayName: 'Walk',
    ksocketSlotId: slot.ksocketSlotId,
  });
  const base = `/api/apps/sonar/networks/${network.networkId}`;
  await post(`${base}/notification-settings`, {
    displayName: 'Walk',
    kind: 'email',
    events: ['scan:succeeded'],
    emails: ['operator@example.com'],
  });
  await post('/api/tasks/schedules', {
    displayName: 'Walk',
    namespace: 'sonar',
    method: 'scan',
    params: { networkId: network.networkId },
    recurrence: { frequency: 'day', hour: 3, minute: 0, timeZone: 'Asia/Tokyo' },
  });
  let scan = 0;
  const agent = await connectAgent({
    origin: server.origin,
    token: String(token),
    scan: () => siteHosts({ seed: 'walk', count: 12, packages: 3, scan: scan++ }),
  });
  const params = { networkId: network.networkId };
  for (const number of [1, 2]) {
    const task = await post('/api/tasks', { namespace: 'sonar', method: 'scan', params });
    await waitUntil(`scan ${number} has ended`, async () => {
      const { status } = await callApi(server, 'GET', `/api/tasks/${task.taskId}`);
      return status === 'succeeded';
    });
  }
  await agent.close();
  const { items } = await callApi(server, 'GET', `${base}/managed-nodes?limit=100`);
  for (const { managedNodeId } of items as Item[]) {
    await callApi(server, 'PUT', `${base}/managed-nodes/${managedNodeId}/tags`, { tags: { env: 'prod' } });
    await post(`${base}/managed-nodes/${managedNodeId}/notes`, { title: 'Walked past' });
  }
}

/** Creates a runbook with a run, a mute schedule, a notification address and a mail sender. */
async function seedAlertHub(server: ApiAccess): Promise<void> {
  const post = createPoster(server, '/api/apps/alerthub');
  await post('/notification-settings/emails', { name: 'Walk', email: 'duty@example.com' });
  await post('/email-action-sender/settings', {
    displayName: 'Walk',
    from: { name: 'Duty', email: 'duty@example.com' },
    provider: 'smtp',
    parameters: { host: 'mail.example.com', port: 25, security: 'plain', authentication: 'none' },
  });
  const [scope] = (await callApi(server, 'GET', '/api/apps/alerthub/scopes')).items as Item[];
  await post(`/scopes/${scope!.scopeId}/mute-schedules`, {
    displayName: 'Walk',
    beginAt: '2001-01-01T00:00:00Z',
    endAt: '2001-01-01T06:00:00Z',
  });
  const runbook = await post('/runbooks', {
    displayName: 'Walk',
    startStepId: 'note',
    steps: [
      {
        stepId: 'note',
        kind: 'operator',
        displayName: 'Note',
        params: { operatorId: 'concatenate', params: { template: 'noted', destination: 'note' } },
      },
    ],
  });
  const slot = await post('/receive-slots', {
    displayName: 'Walk',
    kind: 'webhook',
    runbookId: runbook.runbookId,
  });
  await fetch(String(slot.primary), { method: 'POST', body: '{"title":"walk"}' });
  await waitUntil('the runbook has run', async () => {
    const { total } = await callApi(server, 'GET', '/api/apps/alerthub/runbook-records?limit=1');
    return Number(total) > 0;
  });
}

/** Exports a file and imports it again. */
async function seedBulkFiles(server: ApiAccess): Promise<void> {
  const base = '/api/apps/alerthub/bulk-operations/scopes';
  const { exportId } = await callApi(server, 'POST', `${base}/exports`, {});
  await waitUntil('the export is ready', async () => {
    const { status } = await callApi(server, 'GET', `${base}/exports/${exportId}`);
    return status === 'succeeded';
  });
  const headers = { 'x-authorization': `Token ${server.token}` };
  const file = await fetch(`${server.origin}${base}/exports/${exportId}/file`, { headers });
  const body = new FormData();
  body.set('file', await file.blob(), 'scopes.csv');
  const reply = await fetch(`${server.origin}${base}/imports`, { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`the import was answered with ${reply.status}: ${await reply.text()}`);
}

async function seedPigeon(server: ApiAccess): Promise<void> {
  const input = {
    displayName: 'Walk',
    kind: 'email',
    events: ['chain:failed'],
    emails: ['duty@example.com'],
  };
  await createPoster(server, '/api/apps/pigeon')('/notification-settings', input);
}

function createPoster(server: ApiAccess, base = '') {
  return (path: string, body: Item) => callApi(server, 'POST', base + path, body);
}

async function waitUntil(what: string, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isReady())) {
    if (Date.now() > deadline) throw new Error(`it did not come about that ${what}`);
    await pause(100);
  }
}
