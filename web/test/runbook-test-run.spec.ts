// Tests the test run of a runbook: the chosen results decide the way, and nothing is sent.
import { expect } from '@playwright/test';
import { callApi } from '@yagura/fixtures/testbed/api';
import { test, visit, waitForHydration } from './product-fixture.ts';

const api = '/api/apps/alerthub';

test('a test run shows what each step would do', async ({ page, product, sink, t, language, complaints }) => {
  const name = (text: string) => `${text} ${language}`;
  const create = (path: string, body: object) => callApi(product, 'POST', `${api}/${path}`, body);
  const webhook = (displayName: string, body: string) =>
    create('actions', { displayName, kind: 'webhook', parameters: { url: sink.url, body } });
  const ask = await webhook(name('Ask'), '{{{message.content.body}}}');
  const notify = await webhook(name('Notify'), 'answer {{steps.ask.output.statusCode}}');
  const scope = await create('scopes', { displayName: name('Disk') });
  const params = { source: 'steps.ask.output.statusCode', comparison: 'lt', value: 400 };
  const { runbookId } = await create('runbooks', {
    displayName: name('Check'),
    startStepId: 'ask',
    steps: [
      {
        stepId: 'ask',
        kind: 'action',
        displayName: 'Ask',
        params: { actionId: ask.actionId, wait: true },
        next: 'free',
      },
      {
        stepId: 'free',
        kind: 'branch',
        displayName: 'Is it free',
        params: { conditionId: 'number-compare', params },
        nextTrue: 'raise',
        nextFalse: 'notify',
      },
      { stepId: 'raise', kind: 'event', displayName: 'Raise', params: { scopeId: scope.scopeId, delta: 20 } },
      { stepId: 'notify', kind: 'action', displayName: 'Notify', params: { actionId: notify.actionId } },
    ],
  });

  await visit(page, product, `/apps/alerthub/runbooks/${runbookId}`);
  await page.getByRole('link', { name: t('runbook.test'), exact: true }).click();
  await waitForHydration(page);
  await page.getByLabel(t('test.message')).selectOption({ label: t('runbook.test-no-message') });
  await page.getByLabel(t('test.message')).selectOption({ label: t('test.paste') });
  await page.getByLabel(t('test.text'), { exact: true }).fill('is the disk full?');
  const result = page.getByRole('region', { name: t('runbook.test-result') });
  const steps = result.getByRole('list', { name: t('runbook.steps') }).getByRole('listitem');
  const run = () => page.getByRole('button', { name: t('runbook.test-start') }).click();
  const asked = page.getByRole('group', { name: 'Ask' });

  await test.step('a response takes one way', async () => {
    await asked.getByLabel(t('runbook.test-body')).fill('it is full');
    await run();
    await expect(result.getByText(t('runbook.test-succeeded'))).toBeVisible();
    await expect(steps.nth(0)).toContainText(t('test.held', { action: name('Ask') }));
    await expect(steps.nth(0)).toContainText('is the disk full?');
    await expect(steps.nth(1)).toContainText(t('runbook.test-next', { step: 'Raise' }));
    await expect(result.getByText(`${name('Disk')}: default`)).toContainText('0 → 20');
  });

  await test.step('another response takes the other way', async () => {
    await asked.getByLabel(t('label.statusCode')).fill('418');
    await asked.getByLabel(t('runbook.test-body')).fill('it is empty');
    await run();
    await expect(steps.nth(1)).toContainText(t('runbook.test-next', { step: 'Notify' }));
    await expect(steps.nth(2)).toContainText('answer 418');
    await expect(result.getByText(`${name('Disk')}: default`)).toHaveCount(0);
  });

  await test.step('no response ends the runbook', async () => {
    await asked
      .getByLabel(t('runbook.test-outcome'))
      .selectOption({ label: t('runbook.test-outcome-timedOut') });
    await run();
    const reason = t('why.runbook.timeout', { seconds: 300 });
    await expect(result.getByText(t('runbook.test-failed', { reason }))).toBeVisible();
    await expect(steps).toHaveCount(1);
  });

  await test.step('nothing was sent or stored', async () => {
    // Other tests of this language share the sink.
    const own = sink.received.filter(({ body }) => /^is the disk|^answer /.test(body));
    expect(own).toEqual([]);
    expect(await callApi(product, 'GET', `${api}/scopes/${scope.scopeId}`)).toMatchObject({ severity: 0 });
    const records = `${api}/runbook-records?filter=${encodeURIComponent(`runbookId eq "${runbookId}"`)}`;
    expect(await callApi(product, 'GET', records)).toMatchObject({ total: 0 });
  });
  expect(complaints).toEqual([]);
});
