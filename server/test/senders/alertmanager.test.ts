// The recipe for Alertmanager with a real Alertmanager: alerts in one group, repeated and resolved one after another.

import type { RecipeResult } from '@yagura/core/alerthub/recipes/create-from-recipe';
import {
  type AlertmanagerProcess,
  isAlertmanagerInstalled,
  startAlertmanager,
} from '@yagura/fixtures/testbed/alertmanager-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createRecipeSlots, type RecipeSlots } from '../support/recipe-slots.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const timeoutMs = 30_000;

describe.skipIf(!isAlertmanagerInstalled())('a real Alertmanager', { timeout: 120_000 }, () => {
  let server: TestServer;
  let slots: RecipeSlots;
  let made: RecipeResult;
  let alertmanager: AlertmanagerProcess;
  beforeAll(async () => {
    server = (await startTestServer({ engine: 'embedded' }))!;
    slots = await createRecipeSlots(server);
    made = await slots.create('alertmanager');
    alertmanager = await startAlertmanager(configuration(made.snippet));
  });
  afterAll(async () => {
    await alertmanager?.stop();
    await server?.stop();
  });

  const alert = (instance: string, severity: string, endsAt?: string) => ({
    labels: { alertname: 'HostDown', instance, severity },
    ...(endsAt ? { endsAt } : {}),
  });
  const poll = <T>(read: () => Promise<T>) =>
    expect.poll(read, { timeout: timeoutMs, message: alertmanager.printed() });
  const messages = async () => (await slots.messagesOf(made.slot.receiveSlotId)).length;
  /** Sum of the alerts in the severity: 100 for an incident, 1 for a warning. */
  const sum = async () => (await slots.valuesOf(made.scope.scopeId)).HostDown;
  const statuses = () => slots.statusesOf(made.scope.scopeId);

  test('counts five alerts of a group once each, until the last is resolved', async () => {
    const critical = ['web1', 'web2', 'web3'];
    const warning = ['web4', 'web5'];
    await alertmanager.report([
      ...critical.map((host) => alert(host, 'critical')),
      ...warning.map((host) => alert(host, 'warning')),
    ]);
    await poll(statuses).toEqual({ HostDown: 'incident' });
    await poll(sum).toBe(3 * 100 + 2 * 1);

    const before = await messages();
    await poll(messages).toBeGreaterThan(before + 1);
    await server.settled();
    expect(await sum()).toBe(3 * 100 + 2 * 1);

    const now = new Date().toISOString();
    await alertmanager.report(critical.map((host) => alert(host, 'critical', now)));
    await poll(statuses).toEqual({ HostDown: 'warning' });
    await poll(sum).toBe(2);
    await alertmanager.report(warning.map((host) => alert(host, 'warning', now)));
    await poll(statuses).toEqual({});
  });
});

/** The settings of the recipe; changes of a group are sent within a second, and the group every second again. */
function configuration(snippet: string): string {
  const { route, ...rest } = parse(snippet) as { route: object };
  const intervals = { group_wait: '1s', group_interval: '1s', repeat_interval: '1s' };
  return stringify({ ...rest, route: { ...route, group_by: ['alertname'], ...intervals } });
}
