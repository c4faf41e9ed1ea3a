// The custom notification of the recipe for Netdata, called by Netdata's alarm-notify.sh.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecipeResult } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRecipeSlots, type RecipeSlots } from '../support/recipe-slots.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { areInstalled, netdataScript, pathOf, runProgram, senderEnv } from './sender-programs.ts';

describe.skipIf(!areInstalled(netdataScript))('alarm-notify.sh of Netdata', () => {
  let server: TestServer;
  let slots: RecipeSlots;
  let made: RecipeResult;
  let folder: string;
  beforeAll(async () => {
    server = (await startTestServer({ engine: 'embedded' }))!;
    slots = await createRecipeSlots(server);
    made = await slots.create('netdata');
    folder = await mkdtemp(join(tmpdir(), 'yagura-netdata-'));
    await configure(made.snippet);
  });
  afterAll(async () => {
    await server?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const configure = (text: string) => writeFile(join(folder, 'health_alarm_notify.conf'), text);

  async function run(...args: string[]) {
    const env = senderEnv({
      NETDATA_USER_CONFIG_DIR: folder,
      NETDATA_STOCK_CONFIG_DIR: pathOf('usr/lib/netdata/conf.d'),
      NETDATA_CACHE_DIR: folder,
    });
    const ended = await runProgram('bash', [pathOf(netdataScript), ...args], env);
    await server.settled();
    return ended;
  }

  /** The arguments with which Netdata runs the script for a change of an alarm. */
  function notify({
    host = 'web1',
    status = 'CRITICAL',
    before = 'CLEAR',
    name = 'disk_space_usage',
    alarmId = '1700000007',
  }) {
    const ids = ['1700000001', alarmId, '3', '1772330584'];
    const values = ['97.3', '12.1', 'health.d/disks.conf', '600', '600', '"%"', 'disk "/var" \\ usage'];
    const texts = ['97.3"%"', '12.1"%"', '$used * 100', '[ $used = 97.3 ]', '0', '1', '', ''];
    const alarm = [name, 'disk_space._', '/', status, before];
    return run('sysadmin', host, ...ids, ...alarm, ...values, ...texts, 'Utilization', '', '');
  }
  const statuses = () => slots.statusesOf(made.scope.scopeId);

  test('reports the alarms of each host and their ends', async () => {
    const { code, stderr } = await notify({});
    expect(code, stderr).toBe(0);
    expect(await statuses()).toEqual({ disk_space_usage: 'incident' });
    await notify({ host: 'web2', status: 'WARNING' });
    await notify({ status: 'CLEAR', before: 'CRITICAL' });
    expect(await statuses()).toEqual({ disk_space_usage: 'warning' });
    await notify({ host: 'web2', status: 'CLEAR', before: 'WARNING' });
    expect(await statuses()).toEqual({});
    const [message] = await slots.messagesOf(made.slot.receiveSlotId);
    expect(await slots.dataOf(message!.messageId)).toMatchObject({
      value: '97.3"%"',
      info: 'disk "/var" \\ usage',
    });
  });

  test('ends an alarm that has another ID after a restart of Netdata', async () => {
    await notify({});
    await notify({ alarmId: '1700000107' });
    await notify({ alarmId: '1700000107', status: 'CLEAR', before: 'CRITICAL' });
    expect(await statuses()).toEqual({});
  });

  test('reports the alarms of its own test', async () => {
    const before = await slots.messagesOf(made.slot.receiveSlotId);
    const { code, stderr } = await run('test');
    expect(code, stderr).toBe(0);
    const after = await slots.messagesOf(made.slot.receiveSlotId);
    expect(after).toHaveLength(before.length + 3);
    expect(await statuses()).toEqual({});
  });

  test('fails if the slot refuses the message', async () => {
    await configure(made.snippet.replace(made.slot.primary, `${server.origin}/receive/webhook/none`));
    const { code, stderr } = await notify({ name: 'refused' });
    expect(code).not.toBe(0);
    expect(stderr).toContain('HTTP 404');
  });
});
