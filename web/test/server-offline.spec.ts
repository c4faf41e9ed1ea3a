// Tests that typed input survives an unreachable server and changes by others.
import { expect } from '@playwright/test';
import { callApi } from '@yagura/fixtures/testbed/api';
import { test, visit, waitForHydration } from './product-fixture.ts';

const failures = ['refused', 'nothing'] as const;

for (const failure of failures)
  test(`a form is kept and sent later when the server answers with ${failure}`, async ({
    page,
    product,
    t,
    language,
  }) => {
    const name = `Away ${failure} ${language}`;
    await visit(page, product, '/apps/alerthub/scopes/new');
    // Before hydration the browser itself submits the form, and what was typed is kept either way.
    await waitForHydration(page);
    const field = page.locator('main form').getByLabel(t('label.displayName'));
    const create = page.locator('main form').getByRole('button', { name: t('verb.create') });
    await field.fill(name);
    await page.route('**/*.data*', (route) =>
      failure === 'nothing' ? route.abort() : route.fulfill({ status: 503, body: '<h1>Unavailable</h1>' }),
    );
    await create.click();
    await expect(page.locator('main').getByRole('alert')).toHaveText(t('problem.unreachable'));
    await expect(field).toHaveValue(name);
    await page.unrouteAll();
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  });

test('what is read waits for the server, and the page stays until then', { tag: '@ja' }, async ({
  page,
  product,
  t,
  language,
}) => {
  const name = `Waited for ${language}`;
  await callApi(product, 'POST', '/api/apps/alerthub/scopes', { displayName: name });
  await visit(page, product, '/apps/alerthub/scopes');
  // Before hydration the browser itself follows the link and requests a document.
  await waitForHydration(page);
  await page.route('**/*.data*', (route) => route.abort());
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByText(t('shell.away'))).toBeVisible();
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  await page.unrouteAll();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByText(t('shell.away'))).toBeHidden();
});

test('a change by somebody else takes away no step of a runbook', { tag: '@en' }, async ({
  page,
  product,
  t,
  language,
}) => {
  const { runbookId } = await callApi(product, 'POST', '/api/apps/alerthub/runbooks', {
    displayName: `Flow ${language}`,
    startStepId: null,
    steps: [],
  });
  const path = `/api/apps/alerthub/runbooks/${runbookId}`;
  const own = `/apps/alerthub/runbooks/${runbookId}/flow`;
  await visit(page, product, own);
  const steps = page.getByRole('list', { name: t('runbook.outline') }).getByRole('button');
  const add = page.getByRole('button', { name: t('value.operator'), exact: true });
  await expect(async () => {
    await add.click();
    await expect(steps.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  // Complete, as far as the browser can tell.
  await page.getByLabel(t('label.operatorId')).selectOption('trim');
  await page.getByLabel(t('operator.trim.source')).fill('no..path');
  await page.getByLabel(t('operator.trim.destination')).fill('line');
  const count = await steps.count();
  const heading = `Flow of another ${language}`;
  await callApi(product, 'PATCH', path, { displayName: heading });
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  await expect(steps).toHaveCount(count);
  await page.getByRole('button', { name: t('verb.save') }).click();
  const alert = page.locator('main').getByRole('alert');
  await expect(alert.getByText(t('problem.changed'), { exact: true })).toBeVisible();
  await expect(steps).toHaveCount(count);
  await alert.getByRole('button', { name: t('web.save-anyway') }).click();
  // Now the entries themselves are checked.
  const field = new RegExp(` › ${t('operator.trim.source')}$`);
  await expect(alert.getByRole('button', { name: field })).toBeVisible();
  await expect(alert.getByText(t('problem.changed'), { exact: true })).toBeHidden();
  await expect(steps).toHaveCount(count);
});

test('a form of a scan schedule that somebody else has changed is not saved over it', { tag: '@en' }, async ({
  page,
  product,
  t,
  language,
}) => {
  const { networkId } = await callApi(product, 'POST', '/api/apps/sonar/networks', {
    displayName: `Watched ${language}`,
  });
  const nightly = {
    ...{ displayName: 'Nightly', namespace: 'sonar', method: 'scan', params: { networkId } },
    recurrence: { frequency: 'day', hour: 2, minute: 0, timeZone: 'Asia/Tokyo' },
  };
  const { taskScheduleId } = await callApi(product, 'POST', '/api/tasks/schedules', nightly);
  const path = `/api/tasks/schedules/${taskScheduleId}`;
  await visit(page, product, `/apps/sonar/networks/${networkId}/scan/schedules/${taskScheduleId}`);
  await waitForHydration(page);
  const name = page.locator('main form').getByLabel(t('label.displayName'));
  await name.fill('Mine');
  await callApi(product, 'PUT', path, { ...nightly, displayName: 'Of another' });
  await page.getByRole('button', { name: t('verb.save') }).click();
  await expect(page.locator('main').getByRole('alert')).toContainText(t('problem.changed'));
  await expect(name).toHaveValue('Mine');
  expect(await callApi(product, 'GET', path)).toMatchObject({ displayName: 'Of another' });
  await page.locator('main').getByRole('alert').getByRole('link').click();
  await expect(name).toHaveValue('Of another');
});
