// The media type of the recipe for Zabbix, run by Zabbix's own JavaScript engine.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import type { RecipeResult } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { createClient } from '@yagura/core/resource/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createRecipeSlots, type RecipeSlots } from '../support/recipe-slots.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { areInstalled, pathOf, runProgram, senderEnv, zabbixScript } from './sender-programs.ts';

interface MediaType {
  type: string;
  attempts: string;
  attempt_interval: string;
  parameters: { name: string; value: string }[];
  script: string;
  message_templates: { operation_mode: string }[];
}

describe.skipIf(!areInstalled(zabbixScript))('the script of Zabbix', () => {
  let server: TestServer;
  let slots: RecipeSlots;
  let made: RecipeResult;
  let folder: string;
  beforeAll(async () => {
    server = (await startTestServer({ engine: 'embedded' }))!;
    slots = await createRecipeSlots(server);
    made = await slots.create('zabbix');
    folder = await mkdtemp(join(tmpdir(), 'yagura-zabbix-'));
  });
  afterAll(async () => {
    await server?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const mediaType = (): MediaType => parse(made.snippet).zabbix_export.media_types[0];

  /** Runs the script with the parameters of the media type, in which Zabbix has replaced the macros. */
  async function notify(macros: Record<string, string>, change: Record<string, string> = {}) {
    const { parameters, script } = mediaType();
    const values = parameters.map(({ name, value }) => [
      name,
      value.replaceAll(/\{[A-Z.]+\}/g, (macro) => macros[macro] ?? macro),
    ]);
    const file = join(folder, 'script.js');
    await writeFile(file, script);
    const input = JSON.stringify({ ...Object.fromEntries(values), ...change });
    const ended = await runProgram(pathOf(zabbixScript), ['-s', file, '-p', input], senderEnv());
    await server.settled();
    return ended;
  }
  const statuses = () => slots.statusesOf(made.scope.scopeId);

  const problem = {
    '{EVENT.ID}': '4711',
    '{EVENT.NAME}': '高負荷: "load" on db1 \\ 97 %',
    '{EVENT.VALUE}': '1',
    '{EVENT.NSEVERITY}': '4',
    '{EVENT.SEVERITY}': 'High',
    '{HOST.NAME}': 'db1',
    '{EVENT.OPDATA}': 'Current value: 97.21 %\r\n"quoted"',
    '{ALERT.MESSAGE}': 'Current value: 97.21 %\r\n"quoted"',
  };
  const other = { ...problem, '{EVENT.ID}': '4712', '{EVENT.NSEVERITY}': '2', '{EVENT.SEVERITY}': 'Warning' };
  const name = problem['{EVENT.NAME}'];

  test('reports problems and their ends', async () => {
    expect(await notify(problem)).toMatchObject({ code: 0, stdout: expect.stringContaining('OK') });
    expect(await statuses()).toEqual({ [name]: 'incident' });
    await notify(other);
    expect(await statuses()).toEqual({ [name]: 'incident' });
    await notify({ ...problem, '{EVENT.VALUE}': '0' });
    expect(await statuses()).toEqual({ [name]: 'warning' });
    await notify({ ...other, '{EVENT.VALUE}': '0' });
    expect(await statuses()).toEqual({});
  });

  test('ends a problem whose trigger was disabled, as Zabbix does not report its end', async () => {
    await notify(problem);
    expect(await statuses()).toEqual({ [name]: 'incident' });
    const message = `NOTE: Escalation canceled: trigger "load" disabled.\nLast message sent:\n${problem['{ALERT.MESSAGE}']}`;
    await notify({ ...problem, '{ALERT.MESSAGE}': message });
    expect(await statuses()).toEqual({});
    const [newest] = await slots.messagesOf(made.slot.receiveSlotId);
    expect(newest?.summary).toMatch(/^\[RESOLVED\] /);
  });

  test('does not end a problem that continues while its action is disabled', async () => {
    await notify(problem);
    const message = `NOTE: Escalation canceled: action "Yagura" disabled.\nLast message sent:\n${problem['{ALERT.MESSAGE}']}`;
    await notify({ ...problem, '{ALERT.MESSAGE}': message });
    expect(await statuses()).toEqual({ [name]: 'incident' });
    await notify({ ...problem, '{EVENT.VALUE}': '0' });
    expect(await statuses()).toEqual({});
  });

  test('does not end a problem because a host reports what looks like such a note', async () => {
    const note = 'NOTE: Escalation canceled: trigger "load" disabled.';
    await notify({ ...problem, '{EVENT.OPDATA}': note, '{ALERT.MESSAGE}': note });
    expect(await statuses()).toEqual({ [name]: 'incident' });
    await notify({ ...problem, '{EVENT.VALUE}': '0' });
    expect(await statuses()).toEqual({});
  });

  // Zabbix sends the end of a problem once: after three attempts in 30 seconds, its defaults, a restart loses it.
  test('is tried for more than an hour, and has a message for every operation', () => {
    const { attempts, attempt_interval, message_templates } = mediaType();
    expect([attempts, attempt_interval]).toEqual(['100', '1m']);
    const operations = message_templates.map(({ operation_mode }) => operation_mode);
    expect(operations).toEqual(['PROBLEM', 'RECOVERY', 'UPDATE']);
  });

  test('changes nothing with the test of a media type, whose macros stay as they are', async () => {
    expect(await notify({})).toMatchObject({ code: 0 });
    expect(await statuses()).toEqual({});
  });

  test('accepts the other success status of a slot', async () => {
    const client = createClient(receiveSlot, server.transportAs('privileged'));
    const { displayName, kind, receiveSlotId } = made.slot;
    await client.edit(receiveSlotId, { displayName, kind, answer: 'ok' });
    expect(await notify(problem)).toMatchObject({ code: 0 });
  });

  test('fails if the slot refuses the message', async () => {
    const { code, stdout, stderr } = await notify(problem, { url: `${server.origin}/receive/webhook/none` });
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain('HTTP 404');
  });
});
