// Scans in the console with an agent of protocol 2: estimate, pause, resume, abort, refusals, differences, and
// merging and splitting nodes.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { ServerMessage } from '@yagura/core/ksocket/agent-protocol';
import { callApi, type Item } from '@yagura/fixtures/testbed/api';
import { connectAgent, type TestAgent } from '@yagura/fixtures/testbed/test-agent';
import { type Product, test, visit, waitForHydration } from './product-fixture.ts';

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const sonar = '/api/apps/sonar/networks';
const screens = '/apps/sonar/networks';

async function makeNetwork(product: Product, displayName: string) {
  const { ksocketSlotId } = await callApi(product, 'POST', '/api/ksocket/slots', { displayName });
  const { token } = await callApi(product, 'POST', `/api/ksocket/slots/${ksocketSlotId}/tokens`, {
    displayName,
  });
  const { networkId } = await callApi(product, 'POST', sonar, { displayName, ksocketSlotId });
  await callApi(product, 'PUT', `${sonar}/${networkId}/scan-settings`, {
    enabled: true,
    seeds: ['192.0.2.0/24'],
  });
  return { networkId: String(networkId), token: String(token), ksocketSlotId: String(ksocketSlotId) };
}

/** Skips other messages. */
async function told<T extends ServerMessage['type']>(agent: TestAgent, type: T) {
  for (;;) {
    const message = await agent.nextMessage();
    if (message.type === type) return message as Extract<ServerMessage, { type: T }>;
  }
}

/** Runs a scan that finds these hosts. */
async function scan(product: Product, agent: TestAgent, networkId: string, hosts: object[]): Promise<string> {
  await callApi(product, 'POST', '/api/tasks', { namespace: 'sonar', method: 'scan', params: { networkId } });
  const { snapshotId } = await told(agent, 'scan');
  agent.send(JSON.stringify({ type: 'hosts', snapshotId, chunk: 0, hosts }));
  await told(agent, 'stored');
  agent.send({ type: 'done', snapshotId, chunks: 1 });
  await told(agent, 'closed');
  const path = `${sonar}/${networkId}/snapshots/${snapshotId}`;
  await expect.poll(() => callApi(product, 'GET', path)).toMatchObject({ status: 'succeeded' });
  return snapshotId;
}

const host = (addr: string, mac: string, version = '1') => ({
  addresses: [
    { addr, macaddr: `00:11:22:33:44:${mac}`, hostnames: [{ hostname: `host-${addr.split('.')[3]}` }] },
  ],
  packages: [{ name: 'openssl', version, arch: 'amd64' }],
  listening: [
    { protocol: 'tcp', address: '0.0.0.0', port: 443, process: 'nginx' },
    { protocol: 'tcp', address: '0.0.0.0', port: 22, process: 'sshd' },
  ],
});

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(axeTags).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

/** No page scrolls sideways, however narrow. */
async function expectFits(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  if (process.env.YAGURA_WALK_SHOTS)
    await page.screenshot({
      path: `${process.env.YAGURA_WALK_SHOTS}/${page.url().split('/').slice(-1)[0]!.replace(/\W/g, '-')}-360.png`,
      fullPage: true,
    });
  await page.setViewportSize(size);
}

test('a scan is estimated, paused, resumed and aborted', async ({
  page,
  product,
  t,
  language,
  complaints,
}) => {
  const { networkId, token } = await makeNetwork(product, `Site ${language}`);
  const scanPage = `${screens}/${networkId}/scan`;
  await visit(page, product, scanPage);
  await waitForHydration(page);
  const estimate = page.getByRole('button', { name: t('sonar.scan.estimate'), exact: true });
  await test.step('without an agent, the reason is shown', async () => {
    await estimate.click();
    await expect(page.getByText(t('sonar.scan.not-connected'))).toBeVisible();
    await expect(page.getByText(t('problem.conflict'))).toHaveCount(0);
  });

  await test.step('with an old agent as well', async () => {
    const old = await connectAgent({ origin: product.origin, token });
    await expect(async () => {
      await estimate.click();
      await expect(page.getByText(t('sonar.scan.agent-old'))).toBeVisible({ timeout: 1000 });
    }).toPass();
    await old.close();
  });

  const agent = await connectAgent({
    ...{ origin: product.origin, token },
    capabilities: ['estimate', 'pause'],
  });
  await told(agent, 'welcome');
  await test.step('an estimate shows what a scan would do', async () => {
    await estimate.click();
    const { requestId } = await told(agent, 'estimate');
    agent.send({
      ...{ type: 'estimated', requestId, addresses: 254, packets: 1270, seconds: 90, limits: {} },
      excluded: [{ network: '192.0.2.9', reason: 'FORBIDDEN_BY_SITE' }],
    });
    const panel = page.getByRole('region', { name: t('sonar.scan.estimate-title') });
    await expect(panel).toContainText('254');
    await expect(panel).toContainText('1,270');
    await expect(panel).toContainText(t('sonar.exclusion.FORBIDDEN_BY_SITE'));
    await expectAccessible(page);
    await expectFits(page);
  });

  await page.getByRole('button', { name: t('sonar.scan.start') }).click();
  const { snapshotId } = await told(agent, 'scan');
  await page.waitForURL(`**/snapshots/${snapshotId}`);
  const progress = { type: 'progress', snapshotId, probed: 5, toProbe: 10 } as const;
  const button = (name: 'pause' | 'resume' | 'abort') =>
    page.getByRole('button', { name: t(`sonar.scan.${name}`), exact: true });
  await test.step('a running scan is paused and resumed', async () => {
    agent.send({ ...progress, perSecond: 12, secondsLeft: 40 });
    const bar = page.getByRole('progressbar', { name: t('label.probed') });
    await expect(bar).toHaveAttribute('value', '5');
    await expect(page.getByText(t('label.numberOfCreatedNodes'))).toHaveCount(0);
    await button('pause').click();
    expect(await told(agent, 'pause')).toMatchObject({ snapshotId });
    await expect(page.getByText(t('sonar.scan.pausing'))).toBeVisible();
    agent.send({ ...progress, paused: true });
    await button('resume').click();
    expect(await told(agent, 'resume')).toMatchObject({ snapshotId });
    agent.send({ ...progress, paused: false });
    await expect(button('pause')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('refusals are listed with their reason', async () => {
    const refusal = { addr: '192.0.2.7', protocol: 'ssh', code: 'SIGN_IN_FAILED', credential: 'linux' };
    agent.send({ type: 'hosts', snapshotId, chunk: 0, hosts: [], refusals: [refusal] });
    await told(agent, 'stored');
    await page.goto(`${product.origin}${screens}/${networkId}/snapshots/${snapshotId}/refusals`);
    await expect(page.getByRole('row', { name: /192\.0\.2\.7/ })).toContainText(t('value.SIGN_IN_FAILED'));
  });

  await test.step('a scan is aborted', async () => {
    await waitForHydration(page);
    await button('abort').click();
    await told(agent, 'abort');
    agent.send({ type: 'aborted', snapshotId });
    await expect(button('abort')).toHaveCount(0);
    expect(await callApi(product, 'GET', `${sonar}/${networkId}/snapshots/${snapshotId}`)).toMatchObject({
      status: 'aborted',
    });
    await page.goto(`${product.origin}${screens}/${networkId}/snapshots/${snapshotId}`);
    await expect(page.getByText(t('label.numberOfCreatedNodes'))).toBeVisible();
    await expect(page.getByText(t('label.toProbe'))).toHaveCount(0);
  });
  await agent.close();
  // The browser reports refused requests itself.
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
});

test('snapshots are compared, and nodes are merged and split', { tag: '@en' }, async ({
  page,
  product,
  t,
  language,
  complaints,
}) => {
  const { networkId, token } = await makeNetwork(product, `Compared ${language}`);
  const agent = await connectAgent({ origin: product.origin, token, capabilities: [] });
  await told(agent, 'welcome');
  const hosts = [host('192.0.2.1', '01'), host('192.0.2.2', '02')];
  await scan(product, agent, networkId, hosts);
  await scan(product, agent, networkId, [...hosts, host('192.0.2.3', '03')]);
  const last = await scan(product, agent, networkId, [host('192.0.2.1', '01', '2'), hosts[1]!]);
  await agent.close();

  await test.step('the differences are those to the previous scan, or to another one', async () => {
    await visit(page, product, `${screens}/${networkId}/snapshots/${last}/differences`);
    await waitForHydration(page);
    await expect(page.getByRole('row', { name: /openssl/ })).toContainText(t('value.changed'));
    await expect(page.getByRole('row', { name: /host-3/ })).toContainText(t('value.removed'));
    await expectAccessible(page);
    await expectFits(page);
    await page.getByLabel(t('sonar.difference.base')).selectOption({ index: 1 });
    await expect(page.getByRole('row', { name: /host-3/ })).toHaveCount(0);
    await expect(page.getByRole('row', { name: /openssl/ })).toBeVisible();
  });

  const nodes = (await callApi(product, 'GET', `${sonar}/${networkId}/managed-nodes?sort=displayName`))
    .items as Item[];
  const nodePage = `${product.origin}${screens}/${networkId}/managed-nodes/${nodes[0]!.managedNodeId}`;
  await test.step('ports are a table that is sorted by its columns', async () => {
    await page.goto(nodePage);
    await waitForHydration(page);
    const ports = page.getByRole('region', { name: t('label.listening') });
    const first = ports.getByRole('row').nth(1);
    await expect(first).toContainText('443');
    await ports.getByRole('button', { name: t('label.port') }).press('Enter');
    await expect(first).toContainText('22');
    await expect(ports.getByRole('columnheader', { name: t('label.port') })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step('a node is merged, and the decision is undone', async () => {
    await page.goto(`${nodePage}/decisions`);
    await waitForHydration(page);
    await page.getByLabel(t('sonar.merge.find')).fill('host-2');
    await page.getByRole('button', { name: t('search.run'), exact: true }).click();
    await page.getByRole('button', { name: `${t('sonar.merge.run')}: host-2` }).click();
    await expect(page.getByText(t('sonar.identity.merged', { name: 'host-2' }))).toBeVisible();
    await expect(page.getByRole('row', { name: /host-2/ }).first()).toContainText(t('value.manual'));
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole('button', { name: new RegExp(`^${t('sonar.undo.run')}`) }).click();
    await expect(page.getByText(t('sonar.identity.decisions-none'))).toBeVisible();
  });

  await test.step('a host that nothing tells apart is not split off', async () => {
    await page
      .getByRole('button', { name: new RegExp(`^${t('sonar.split.run')}`) })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: t('sonar.split.run'), exact: true }).click();
    await expect(page.getByText(t('sonar.split.alike'))).toBeVisible();
  });
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
});
