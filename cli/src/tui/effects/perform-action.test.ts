// Actions on networks and scans: what is sent, and what the user is told.
import { expect, test } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { formatTuiError } from '../format-tui-error.ts';
import { actionsOf } from '../state/resource-actions.ts';
import { performAction } from './perform-action.ts';

async function perform(
  resource: string,
  name: string,
  reply: (path: string) => object,
  language: 'en' | 'ja' = 'en',
) {
  const { terminal } = await testTerminal({ language });
  const sent: string[] = [];
  const transport = {
    origin: 'http://space.example',
    fetch: async (url: string, { method }: RequestInit) => {
      const { pathname } = new URL(url);
      sent.push(`${method} ${pathname}`);
      const content = reply(pathname);
      return content instanceof Response ? content : Response.json(content);
    },
  };
  const action = actionsOf(resourceNamed(resource)).find((one) => one.name === name)!;
  const subject = { id: 'i', params: { networkId: 'n' }, title: 'Office', row: undefined };
  const outcome = await performAction(
    transport,
    { t: terminal.t, formatError: (error) => formatTuiError(terminal, error) },
    { act: 'perform', resource, action, subjects: [subject] },
    () => undefined,
    new AbortController().signal,
  );
  return { sent, outcome };
}

test('an estimate is told', async () => {
  const { outcome } = await perform('network', 'estimate', () => ({
    addresses: 254,
    packets: 500,
    seconds: 90,
  }));
  expect(outcome).toEqual({
    text: 'Estimate for Office: 254 addresses, 500 packets, 1 minute 30 seconds',
    failed: false,
  });
});

test('a scan is aborted through its task', async () => {
  const { sent, outcome } = await perform('snapshot', 'abort', () => ({
    snapshotId: 'i',
    task: { taskId: 't' },
  }));
  expect(sent).toEqual(['GET /api/apps/sonar/networks/n/snapshots/i', 'POST /api/tasks/t/abort']);
  expect(outcome.failed).toBe(false);
});

test('a scan without a task cannot be aborted', async () => {
  const { sent, outcome } = await perform('snapshot', 'abort', () => ({ snapshotId: 'i', task: null }));
  expect(sent).toEqual(['GET /api/apps/sonar/networks/n/snapshots/i']);
  expect(outcome.failed).toBe(true);
});

test.each([
  [403, 'forbidden', [], 'この操作を行う権限がありません。'],
  [500, 'internal', [], 'サーバー'],
  [400, 'invalid', [{ name: 'flow.steps', reason: '多すぎます' }], ' flow.steps: 多すぎます'],
])('what the server refuses with %i is told in the language', async (status, kind, invalidParams, text) => {
  const problem = { type: `urn:yagura:problem:${kind}`, title: 'Title', status, invalidParams };
  const { outcome } = await perform('scope', 'delete', () => Response.json(problem, { status }), 'ja');
  expect(outcome).toMatchObject({ failed: true, text: expect.stringContaining(text) });
  expect(outcome.text).toMatch(/^削除できませんでした: Office: [^a-z]/);
});
