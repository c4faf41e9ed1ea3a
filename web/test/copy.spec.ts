// Tests copies of items whose forms are screens of their own: the copy is the item with another name.
import { expect } from '@playwright/test';
import { callApi } from '@yagura/fixtures/testbed/api';
import { type Product, test, visit, waitForHydration } from './product-fixture.ts';

type Item = Record<string, unknown>;

interface Original {
  /** Path of its collection in the API, and of its list in the console. */
  path: string;
  screen: string;
  id: string;
  body: Item;
}

/** Fields that differ between an item and its copy. */
const ownFields = /^(displayName|createdAt|updatedAt|version)$/;

async function originals(product: Product, url: string, suffix: string): Promise<Original[]> {
  const name = (text: string) => `${text} ${suffix}`;
  const post = (path: string, body: Item) => callApi(product, 'POST', path, body);
  const alerthub = '/api/apps/alerthub';
  const pigeon = '/api/apps/pigeon';
  const slot = await post(`${alerthub}/receive-slots`, { displayName: name('Slot') });
  const scope = await post(`${alerthub}/scopes`, { displayName: name('Scope') });
  const webhook = { url, method: 'PUT', headers: { 'x-a': 'b' }, body: '{{event.status}}\n"quoted"' };
  const action = { displayName: name('Webhook'), kind: 'webhook', parameters: webhook };
  const { actionId } = await post(`${alerthub}/actions`, { ...action, displayName: name('Action') });
  const contact = await post(`${pigeon}/contacts`, {
    displayName: name('Contact'),
    phones: [{ phoneNumber: '0312345678' }, { phoneNumber: '09012345678' }],
  });
  const source = 'message.content.data.level';
  const scopes = `/apps/alerthub/scopes/${scope.scopeId}`;
  return [
    { path: `${alerthub}/actions`, screen: '/apps/alerthub/actions', id: 'actionId', body: action },
    {
      path: `${alerthub}/rules`,
      screen: '/apps/alerthub/rules',
      id: 'ruleId',
      body: {
        displayName: name('Rule'),
        remarks: 'two\nlines',
        receiveSlotId: slot.receiveSlotId,
        disabled: true,
        forEach: '$.alerts[*]',
        flow: {
          steps: [
            { operatorId: 'number-compare', params: { source, comparison: 'ge', value: 3 } },
            {
              operatorId: 'regex-extract',
              params: { source, pattern: '^(\\w+) "x"', destination: 'name', ignoreCase: false },
            },
          ],
        },
        eventParams: [
          {
            scopeId: scope.scopeId,
            severityName: { path: 'name' },
            mode: 'set',
            value: 7,
            fingerprint: { path: 'element.fingerprint' },
          },
        ],
        conditionalEventParams: [],
      },
    },
    {
      path: `${alerthub}/runbooks`,
      screen: '/apps/alerthub/runbooks',
      id: 'runbookId',
      body: {
        displayName: name('Runbook'),
        remarks: 'text',
        startStepId: 'send',
        steps: [
          {
            stepId: 'send',
            kind: 'action',
            displayName: 'Send',
            posX: 12.5,
            posY: -3,
            params: { actionId, wait: true },
          },
        ],
      },
    },
    {
      path: `${alerthub}/scopes/${scope.scopeId}/triggers`,
      screen: `${scopes}/triggers`,
      id: 'triggerId',
      body: {
        displayName: name('Trigger'),
        remarks: 'text',
        target: { kind: 'action', id: actionId },
        conditions: [{ conditionId: 'severity-name', params: { comparison: 'eq', name: 'disk "x"' } }],
      },
    },
    {
      path: `${pigeon}/callflows`,
      screen: '/apps/pigeon/callflows',
      id: 'callflowId',
      body: {
        displayName: name('Callflow'),
        loopLimit: 7,
        contacts: [
          { contactId: contact.contactId, phone: 2 },
          { contactId: contact.contactId, phone: 1 },
        ],
        endsAfterFailedTransfer: true,
        quietHours: {
          timeZone: 'Asia/Tokyo',
          windows: [{ weekDays: ['friday'], startTime: '22:00', endTime: '07:00' }],
        },
      },
    },
  ];
}

test('a copy has everything of its original but the name', { tag: '@ja' }, async ({
  page,
  product,
  sink,
  t,
  language,
}) => {
  test.slow();
  for (const { path, screen, id, body } of await originals(product, sink.url, language)) {
    await test.step(path, async () => {
      const made = await callApi(product, 'POST', path, body);
      await visit(page, product, `${screen}/new?copy=${made[id]}`);
      await waitForHydration(page);
      await page.getByRole('button', { name: t('verb.create'), exact: true }).click();
      await page.waitForURL((url) => !url.pathname.endsWith('/new'));
      const { items } = (await callApi(product, 'GET', `${path}?limit=100`)) as unknown as { items: Item[] };
      const displayName = t('verb.copy-name', { name: String(body.displayName) });
      const listed = items.find((item) => item.displayName === displayName);
      const copy = await callApi(product, 'GET', `${path}/${listed?.[id]}`);
      const kept = (item: Item) =>
        Object.fromEntries(Object.entries(item).filter(([key]) => key !== id && !ownFields.test(key)));
      expect(kept(copy)).toEqual(kept(await callApi(product, 'GET', `${path}/${made[id]}`)));
    });
  }
});
