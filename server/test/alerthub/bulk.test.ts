// Export and import: byte-identical round trips, a plan before any change, and atomic execution.

import type { BulkExport, BulkImportDetail, PlanRow } from '@yagura/core/alerthub/bulk/bulk-job';
import { type BulkKindName, bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxFileBytes } from '../../src/http/body/upload-limit.ts';
import { createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
const api = '/api/apps/alerthub';
const bulk = `${api}/bulk-operations`;

/** File operations of a user in one space. */
function filesOf(server: TestServer) {
  const transport = server.transportAs('privileged');
  const callApi = createApiCall(transport);
  async function upload(kind: string, text: string | Buffer): Promise<BulkImportDetail> {
    const form = new FormData();
    form.set('file', new Blob([typeof text === 'string' ? text : new Uint8Array(text)]), '設定.csv');
    const reply = await fetch(`${server.origin}${bulk}/${kind}/imports`, {
      method: 'POST',
      headers: await transport.headers!(),
      body: form,
    });
    const made = (await reply.json()) as { importId: string };
    expect(reply.status, JSON.stringify(made)).toBe(201);
    return show(kind, made.importId);
  }
  async function show(kind: string, id: string): Promise<BulkImportDetail> {
    return (await callApi('GET', `${bulk}/${kind}/imports/${id}`)).data as BulkImportDetail;
  }
  const execute = (kind: string, id: string) => callApi('POST', `${bulk}/${kind}/imports/${id}/exec`, {});
  return {
    ask: callApi,
    upload,
    show,
    execute,
    async rows(kind: string, id: string, operation = ''): Promise<PlanRow[]> {
      const query = new URLSearchParams({ limit: '1000', operation });
      return (
        (await callApi('GET', `${bulk}/${kind}/imports/${id}/rows?${query}`)).data as { items: PlanRow[] }
      ).items;
    },
    /** Uploads and executes a file; returns the counts of the plan. */
    async load(kind: string, text: string | Buffer) {
      const plan = await upload(kind, text);
      expect(plan.errors).toEqual([]);
      const reply = await execute(kind, plan.importId);
      expect(reply, reply.text).toMatchObject({ status: 200, text: '', type: 'text/plain' });
      expect((await show(kind, plan.importId)).status).toBe('succeeded');
      return plan;
    },
    async download(kind: string, body: Body = {}): Promise<Buffer> {
      const job = (await callApi('POST', `${bulk}/${kind}/exports`, body)).data as BulkExport;
      const path = `${bulk}/${kind}/exports/${job.exportId}`;
      await expect
        .poll(async () => ((await callApi('GET', path)).data as BulkExport).status)
        .toBe('succeeded');
      const reply = await fetch(`${server.origin}${path}/file`, { headers: await transport.headers!() });
      expect(reply.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[\w-]+-\d{8}T\d{6}Z\.csv"$/,
      );
      return Buffer.from(await reply.arrayBuffer());
    },
    async make<T = Body>(path: string, body: Body): Promise<T> {
      const reply = await callApi('POST', `${api}/${path}`, body);
      expect(reply.status, reply.text).toBe(201);
      return reply.data as T;
    },
  };
}
type Files = ReturnType<typeof filesOf>;

/** A double would round it. */
const exactPosition = '12345678901234567.890123456789';

/** Creates items of every kind, with values that are hard to represent in a file. */
async function fill({ make, ask }: Files): Promise<void> {
  const odd = '日本語 "引用", ;\n改行\r\nと\tタブ 😀';
  const { scopeId } = await make<{ scopeId: string }>('scopes', { displayName: '本番,"DB"', remarks: odd });
  await make('scopes', { displayName: ' =1+1', recoveryTime: 600, remarks: 'one\ntwo' });
  await ask('PUT', `${api}/scopes/${scopeId}/attributes/${encodeURIComponent('環境/名')}`, { value: odd });
  await ask('PUT', `${api}/scopes/${scopeId}/attributes/a`, { value: '' });
  await make(`scopes/${scopeId}/mute-schedules`, {
    displayName: '夜間',
    beginAt: '2026-01-01T13:00:00.000Z',
    endAt: '2026-01-01T22:00:00.000Z',
    rrule: 'FREQ=WEEKLY;BYDAY=MO,TU',
    timeZone: 'Asia/Tokyo',
  });
  const { emailActionSenderSettingId } = await make<{ emailActionSenderSettingId: string }>(
    'email-action-sender/settings',
    {
      from: { name: '当番', email: 'duty@example.com' },
      provider: 'smtp',
      parameters: { host: 'mail.example.com', username: 'u', password: 'not-in-any-file' },
    },
  );
  await make('notification-settings/emails', { name: '夜勤', email: 'night@example.com', disabled: true });
  const { actionId } = await make<{ actionId: string }>('actions', {
    displayName: 'mail',
    kind: 'email',
    parameters: {
      emailActionSenderSettingId,
      to: [{ name: '当番', email: 'a@example.com' }],
      subject: '{{scope.displayName}}',
      text: odd,
    },
  });
  await make('actions', {
    displayName: 'hook',
    kind: 'webhook',
    parameters: { url: 'https://example.com/', headers: { 'x-b': '1', 'x-a': '2' }, body: '{"a":"{{x}}"}' },
  });
  const reply = await ask('POST', `${api}/runbooks`, undefined, {
    raw: `{"displayName":"手順","remarks":${JSON.stringify(odd)},"startStepId":"call","steps":[
      {"stepId":"call","kind":"action","posX":${exactPosition},"posY":-0.0,"params":{"actionId":"${actionId}"},"next":"raise"},
      {"stepId":"raise","kind":"event","params":{"scopeId":"${scopeId}","delta":1}}]}`,
  });
  expect(reply.status, reply.text).toBe(201);
  const { runbookId } = reply.data as { runbookId: string };
  const { receiveSlotId } = await make<{ receiveSlotId: string }>('receive-slots', {
    displayName: 'slot',
    runbookId,
  });
  await make('rules', {
    displayName: 'rule',
    receiveSlotId,
    eventParams: [{ scopeId, delta: 1, severityName: { literal: '未作成' } }],
    conditionalEventParams: [{ attributes: [{ name: 'a', op: 'pr' }], delta: -1 }],
  });
  await make(`scopes/${scopeId}/triggers`, { displayName: 't', target: { kind: 'action', id: actionId } });
  await make(`scopes/${scopeId}/triggers`, { displayName: 'r', target: { kind: 'runbook', id: runbookId } });
}

async function exportAll(files: Files): Promise<Record<BulkKindName, Buffer>> {
  const found: Partial<Record<BulkKindName, Buffer>> = {};
  for (const kind of bulkKindNames) found[kind] = await files.download(kind);
  return found as Record<BulkKindName, Buffer>;
}

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let other: TestServer | null;
  let files: Files;

  beforeAll(async () => {
    [server, other] = await Promise.all([startTestServer({ engine }), startTestServer({ engine })]);
    if (!server || !other) return;
    files = filesOf(server);
    await fill(files);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(async () => {
    await Promise.all([server?.stop(), other?.stop()]);
  });

  test('export, import into an empty space and export again are byte-equal, and nothing of it changes anything', async () => {
    const first = await exportAll(files);
    for (const kind of bulkKindNames) {
      expect(first[kind].toString()).not.toContain('not-in-any-file');
      const again = await files.upload(kind, first[kind]);
      expect(again, kind).toMatchObject({
        status: 'planned',
        creates: 0,
        updates: 0,
        deletes: 0,
        errorCount: 0,
        requestedBy: expect.stringMatching(/./),
      });
      expect(again.unchanged).toBeGreaterThan(0);
    }
    const empty = filesOf(other!);
    for (const kind of bulkKindNames) {
      const plan = await empty.load(kind, first[kind]);
      expect(plan, kind).toMatchObject({ updates: 0, deletes: 0, unchanged: 0, fileName: '設定.csv' });
    }
    expect(await exportAll(empty)).toEqual(first);
    expect(first.scopes.toString()).toContain(',"one\ntwo",');
    expect(first.runbooks.toString()).toContain(`""posX"":${exactPosition}`);
    expect((await empty.ask('GET', `${api}/runbooks`)).text).toContain(`"posX":${exactPosition}`);
    const { data } = await empty.ask('GET', `${api}/scopes?filter=displayName eq "本番,\\"DB\\""`);
    const [scope] = (data as { items: { scopeId: string; status: string }[] }).items;
    expect(scope!.status).toBe('normal');
    const severities = await empty.ask('GET', `${api}/scopes/${scope!.scopeId}/severities`);
    expect(severities.data).toMatchObject({ items: [{ name: 'default', value: 0 }] });
    const settings = await empty.ask('GET', `${api}/email-action-sender/settings`);
    expect(settings.data).toMatchObject({ items: [{ hasSecret: false }] });
  });

  test('with a byte order mark and other line ends the file says the same', async () => {
    const marked = await files.download('scopes', { bom: true });
    expect(marked.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(await files.upload('scopes', marked)).toMatchObject({ unchanged: 2, errorCount: 0 });
    const plain = (await files.download('rules')).toString().replaceAll('\r\n', '\n');
    expect(await files.upload('rules', plain)).toMatchObject({ unchanged: 1, errorCount: 0 });
  });

  test('rows of empty cells are passed over, of whatever length', async () => {
    const rows = '\r\n,,,,\r\n,\r\n , ,\t\r\n,blank-rows,\r\n,,\r\n';
    const plan = await files.upload('scopes', `$key,displayName,remarks${rows}`);
    expect(plan).toMatchObject({ creates: 1, errorCount: 0 });
  });

  test('a raw file has formulas as they are, an ordinary one escapes them', async () => {
    await files.load('scopes', '$key,displayName\n9100,=2+2\n');
    expect((await files.download('scopes')).toString()).toContain("9100,'=2+2,");
    const raw = await files.download('scopes', { raw: true });
    expect(raw.toString()).toContain('9100,=2+2,');
    expect(await files.upload('scopes', raw)).toMatchObject({ updates: 0, creates: 0, errorCount: 0 });
  });

  test('a plan changes nothing; its execution creates, changes and deletes, and swaps names', async () => {
    const header = '$key,displayName,remarks,thresholds,recoveryTime,$delete,createdAt\r\n';
    const rows = (names: string[]) =>
      names
        .map((name, at) => `${9001 + at},${name},,"{""warning"":2,""incident"":5}",,,nonsense\r\n`)
        .join('');
    await files.load('scopes', header + rows(['甲', '乙', '丙']));
    const plan = await files.upload(
      'scopes',
      `${header}9001,乙,,"{""warning"":2,""incident"":5}",600,,\r\n9002,甲,,"{""warning"":2,""incident"":5}",,,\r\n9003,,,,,true,\r\n`,
    );
    expect(plan).toMatchObject({ creates: 0, updates: 2, deletes: 1, unchanged: 0, errorCount: 0 });
    const [first] = await files.rows('scopes', plan.importId, 'update');
    expect(first).toMatchObject({
      line: 2,
      key: 9001,
      before: { displayName: '甲', recoveryTime: null },
      after: { displayName: '乙', recoveryTime: 600 },
    });
    expect((await files.download('scopes')).toString()).toContain('9003,丙');
    expect((await files.execute('scopes', plan.importId)).status).toBe(200);
    const after = (await files.download('scopes')).toString();
    expect(after).toContain('9001,乙');
    expect(after).not.toContain('9003,');
    expect((await files.execute('scopes', plan.importId)).status).toBe(409);
  });

  test.each<[name: string, kind: string, text: string | Buffer, errors: Body[]]>([
    ['an empty file', 'scopes', '', [{ line: 1, column: null }]],
    ['an unknown column', 'scopes', '$key,displayName,nonsense\n', [{ line: 1, column: 'nonsense' }]],
    ['a missing key column', 'scopes', 'displayName\nx\n', [{ line: 1, column: '$key' }]],
    ['a row of another length', 'scopes', '$key,displayName\n1\n', [{ line: 2, column: null }]],
    [
      'a wrong value in each of three rows, the second with a line break',
      'scopes',
      '$key,displayName,remarks,recoveryTime\n,a,"a\nb",x\n-1,b,,\n,c,,1\n',
      [
        { line: 2, column: 'recoveryTime' },
        { line: 4, column: '$key' },
        { line: 5, column: 'recoveryTime' },
      ],
    ],
    ['a key twice', 'scopes', '$key,displayName\n70,a\n70,b\n', [{ line: 3, column: '$key' }]],
    [
      'a name twice',
      'scopes',
      '$key,displayName\n71,same\n72,same\n',
      [
        { line: 2, column: 'displayName' },
        { line: 3, column: 'displayName' },
      ],
    ],
    [
      'a reference to nothing',
      'rules',
      '$key,displayName,receiveSlotId\n,a,999\n',
      [{ line: 2, column: 'receiveSlotId' }],
    ],
    [
      'a reference to nothing inside',
      'rules',
      '$key,displayName,receiveSlotId,eventParams\n,a,999,"[{""scopeId"":998,""delta"":1}]"\n',
      [
        { line: 2, column: 'receiveSlotId' },
        { line: 2, column: 'eventParams' },
      ],
    ],
    [
      'broken JSON',
      'actions',
      '$key,displayName,kind,parameters\n,a,webhook,{\n',
      [{ line: 2, column: 'parameters' }],
    ],
    [
      'a secret',
      'email-action-sender-settings',
      '$key,from,provider,parameters\n,"{""email"":""a@example.com""}",sendgrid,"{""apiKey"":""x""}"\n',
      [{ line: 2, column: 'parameters' }],
    ],
    [
      'a template that is none',
      'actions',
      '$key,displayName,kind,parameters\n,a,webhook,"{""url"":""https://a.example"",""body"":""{{#a}}""}"\n',
      [{ line: 2, column: 'parameters' }],
    ],
    ['an open quote', 'scopes', '$key,displayName\n1,"a\n', [{ line: 2 }]],
    ['a stray quote', 'scopes', '$key,displayName\n1,a\n2,b"c\n3,d\n', [{ line: 3, column: 'displayName' }]],
    [
      'text behind a quoted cell',
      'scopes',
      '$key,displayName,remarks\n1,"a"b,\n',
      [{ line: 2, column: 'displayName' }],
    ],
    ['tabs between the cells', 'scopes', '$key\tdisplayName\n1\ta\n', [{ line: 1, column: null }]],
    ['semicolons between the cells', 'scopes', '$key;displayName\n1;a\n', [{ line: 1, column: null }]],
    [
      'Shift_JIS',
      'scopes',
      Buffer.from([...Buffer.from('$key,displayName,remarks\n,a,\n,"b, c",'), 0x93, 0xfa, 0x0a]),
      [{ line: 3, column: 'remarks' }],
    ],
    ['Shift_JIS in the header', 'scopes', Buffer.from([0x93, 0xfa, 0x0a]), [{ line: 1, column: null }]],
    ['a NUL', 'scopes', '$key,displayName\n,a\u0000b\n', [{ line: 2, column: 'displayName' }]],
    ['a line break in a name', 'scopes', '$key,displayName\n,"a\nb"\n', [{ line: 2, column: 'displayName' }]],
    [
      'a deletion of nothing',
      'scopes',
      '$key,displayName,$delete\n12345,,true\n',
      [{ line: 2, column: '$key' }],
    ],
  ])('%s is refused with its place', async (_, kind, text, errors) => {
    const plan = await files.upload(kind, text);
    expect(plan).toMatchObject({ status: 'failed', errors, errorCount: errors.length });
    expect((await files.execute(kind, plan.importId)).status).toBe(409);
  });

  test('what is in use is not deleted, and the reason names its user in the language of the reader', async () => {
    const file = (await files.download('receive-slots')).toString();
    const [header, row] = file.split('\r\n');
    const plan = await files.upload('receive-slots', `${header}\r\n${row}true\r\n`);
    expect(plan.errors).toMatchObject([
      { line: 2, column: '$delete', reason: expect.stringContaining('rule "rule"') },
    ]);
    const reply = await files.ask('GET', `${bulk}/receive-slots/imports/${plan.importId}`, undefined, {
      headers: { 'accept-language': 'ja' },
    });
    expect(reply.text).toContain('ルール「rule」');
  });

  test('items of the same name are told apart by their parents', async () => {
    const scopes: { scopeId: string; displayName: string }[] = [];
    for (const displayName of ['East', 'West']) {
      const scope = await files.make<{ scopeId: string }>('scopes', { displayName });
      scopes.push({ ...scope, displayName });
    }
    const { actionId } = await files.make<{ actionId: string }>('actions', {
      ...{ displayName: 'twice used', kind: 'webhook', parameters: { url: 'https://example.com/' } },
    });
    const target = { kind: 'action', id: actionId };
    for (const { scopeId } of scopes)
      await files.make(`scopes/${scopeId}/triggers`, { displayName: 'Always', target });
    const lines = async (kind: string, text: string) => {
      const [header, ...rows] = (await files.download(kind)).toString().trimEnd().split('\r\n');
      return [header, ...rows.filter((row) => row.includes(text))];
    };
    const [actionHeader, action] = await lines('actions', 'twice used');
    const deletion = await files.upload('actions', `${actionHeader}\r\n${action}true\r\n`);
    expect(deletion.errors).toMatchObject([
      { line: 2, column: '$delete', reason: expect.stringContaining('trigger "Always" of "East"') },
    ]);
    const [header, ...triggers] = await lines('triggers', ',Always,');
    // Each trigger once more as a new item, which has no key.
    const again = triggers.map((row) => row!.replace(/^\d+,/, ','));
    const plan = await files.upload('triggers', [header, ...again, ''].join('\r\n'));
    expect(plan.errors.map(({ reason }) => reason)).toEqual([
      'An entry with the specified key already exists in "East"',
      'An entry with the specified key already exists in "West"',
    ]);
    const reply = await files.ask('GET', `${bulk}/triggers/imports/${plan.importId}`, undefined, {
      headers: { 'accept-language': 'ja' },
    });
    expect(reply.text).toContain('「West」');
    for (const { scopeId } of scopes) await files.ask('DELETE', `${api}/scopes/${scopeId}`);
    await files.ask('DELETE', `${api}/actions/${actionId}`);
  });

  test('a plan that the space has moved away from is refused', async () => {
    const file = (await files.download('notification-email-settings')).toString();
    const plan = await files.upload('notification-email-settings', file.replace('夜勤', '日勤'));
    expect(plan).toMatchObject({ updates: 1 });
    const { data } = await files.ask('GET', `${api}/notification-settings/emails`);
    const [item] = (data as { items: Body[] }).items;
    const path = `${api}/notification-settings/emails/${item!.notificationSettingEmailId}`;
    await files.ask('PUT', path, { name: '遅番', email: 'late@example.com', disabled: false });
    expect((await files.execute('notification-email-settings', plan.importId)).status).toBe(409);
    expect((await files.ask('GET', path)).data).toMatchObject({ name: '遅番' });
    expect((await files.show('notification-email-settings', plan.importId)).status).toBe('failed');
  });

  test('a plan is refused when what a row names is deleted at that moment', async () => {
    const { scopeId } = await files.make<{ scopeId: string }>('scopes', { displayName: 'leaving target' });
    const { actionId } = await files.make<{ actionId: string }>('actions', {
      displayName: 'leaving',
      kind: 'webhook',
      parameters: { url: 'https://example.com/leaving', method: 'POST', body: '' },
    });
    const { triggerId } = await files.make<{ triggerId: string }>(`scopes/${scopeId}/triggers`, {
      displayName: 'names the leaving action',
      conditions: [{ conditionId: 'severity-changed', params: { direction: 'up' } }],
      target: { kind: 'action', id: actionId },
    });
    const lines = (await files.download('triggers')).toString().split('\r\n');
    const own = lines.filter((line, index) => index === 0 || line.includes('names the leaving action'));
    expect(own).toHaveLength(2);
    await files.ask('DELETE', `${api}/scopes/${scopeId}/triggers/${triggerId}`);
    const plan = await files.upload('triggers', `${own[0]}\n${own[1]!.replace(/^\d+/, '')}\n`);
    expect(plan).toMatchObject({ status: 'planned', creates: 1 });
    const executed = await server!.services.database.transaction(async (tx) => {
      await tx.query('delete from resource where id = $1', [actionId]);
      const reply = files.execute('triggers', plan.importId);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { reply };
    });
    expect((await executed.reply).status).toBe(409);
    expect((await files.ask('GET', `${api}/scopes/${scopeId}/triggers`)).data).toMatchObject({ total: 0 });
  });

  test.each(['edited', 'deleted', 'without its scope'])(
    'a plan for an attribute that was %s is refused',
    async (how) => {
      const { scopeId } = await files.make<{ scopeId: string }>('scopes', {
        displayName: `attribute ${how}`,
      });
      const path = `${api}/scopes/${scopeId}/attributes/shelf`;
      await files.ask('PUT', path, { value: 'before' });
      const file = (await files.download('attributes')).toString();
      const lines = file.split('\r\n');
      const own = lines.filter((line, index) => index === 0 || line.includes('before'));
      const plan = await files.upload('attributes', own.join('\r\n').replace('before', 'planned'));
      expect(plan).toMatchObject({ status: 'planned', updates: 1 });
      if (how === 'edited') await files.ask('PUT', path, { value: 'meanwhile' });
      else if (how === 'deleted') await files.ask('DELETE', path);
      else await files.ask('DELETE', `${api}/scopes/${scopeId}`);
      expect((await files.execute('attributes', plan.importId)).status).toBe(409);
      expect((await files.show('attributes', plan.importId)).status).toBe('failed');
      const reply = await files.ask('GET', path);
      if (how === 'edited') expect(reply.data).toMatchObject({ value: 'meanwhile' });
      else expect(reply.status).toBe(404);
      await files.ask('DELETE', `${api}/scopes/${scopeId}`);
    },
  );

  test('a file that is too large is refused', async () => {
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(maxFileBytes + 1, 'a')]), 'large.csv');
    const reply = await fetch(`${server!.origin}${bulk}/scopes/imports`, {
      method: 'POST',
      headers: await server!.transportAs('privileged').headers!(),
      body: form,
    });
    expect(reply.status).toBe(413);
    expect(await reply.json()).toMatchObject({ detail: 'the file may have at most 200 MB' });
  });

  test('a stored password stays when a sender is imported, and does not follow it to another host', async () => {
    const file = (await files.download('email-action-sender-settings')).toString();
    const kind = 'email-action-sender-settings';
    await files.load(kind, file.replace('当番', '夜勤'));
    const { data } = await files.ask('GET', `${api}/email-action-sender/settings`);
    expect(data).toMatchObject({ items: [{ hasSecret: true, displayName: '夜勤' }] });
    const moved = await files.upload(kind, file.replace('mail.example.com', 'evil.example'));
    expect(moved.errors).toMatchObject([{ line: 2, column: 'parameters' }]);
  });

  test('10,000 rows with 300 errors: all 300 are told and nothing is changed', async () => {
    const before = (await files.download('scopes')).toString();
    const lines = ['$key,displayName,recoveryTime'];
    for (let at = 0; at < 10_000; at++) lines.push(`,many ${at},${at % 33 === 0 && at < 9900 ? 'x' : ''}`);
    const plan = await files.upload('scopes', lines.join('\n'));
    expect(plan).toMatchObject({ status: 'failed', errorCount: 300, creates: 9700 });
    expect(plan.errors).toHaveLength(300);
    expect(plan.errors.map(({ line }) => line)).toEqual(Array.from({ length: 300 }, (_, at) => at * 33 + 2));
    expect((await files.download('scopes')).toString()).toBe(before);
  });

  test('a restart between plan and execution keeps the plan; one in the middle of it changes nothing', async () => {
    const plan = await files.upload('scopes', '$key,displayName\n5001,after the restart\n');
    await server!.services.database.query(
      `update bulk_import set status = 'processing', started_at = requested_at, lease_until = requested_at where import_id = $1`,
      [plan.importId],
    );
    await server!.restart();
    expect(await files.show('scopes', plan.importId)).toMatchObject({ status: 'planned' });
    expect((await files.execute('scopes', plan.importId)).status).toBe(200);
    expect((await files.download('scopes')).toString()).toContain('5001,after the restart');
    const { data } = await files.ask('GET', `${bulk}/$all/imports/processing`);
    expect(data).toMatchObject({ items: [], total: 0 });
  });

  test('a file that came, went or changed something is in the audit log', async () => {
    await files.load('scopes', '$key,displayName\r\n6001,noted\r\n');
    await files.download('scopes');
    const query = new URLSearchParams({ filter: 'resource eq "scope"', sort: '-number', limit: '4' });
    const { items } = (await files.ask('GET', `/api/space/audit-records?${query}`)).data as { items: Body[] };
    expect(items.reverse()).toMatchObject([
      { action: 'import-file', after: { fileName: '設定.csv' } },
      { action: 'import', after: { creates: 1, updates: 0, deletes: 0 } },
      { action: 'export' },
      { action: 'export-file' },
    ]);
    expect(items[0]!.resourceId).toBe(items[1]!.resourceId);
  });

  test('only administrators may, an unknown kind is not found, and another form than a file is refused', async () => {
    const viewer = createApiCall(server!.transportAs(['alerthub:viewer']));
    for (const path of ['scopes/imports', 'scopes/exports', '$all/imports/processing'])
      expect((await viewer('GET', `${bulk}/${path}`)).status).toBe(403);
    expect((await viewer('POST', `${bulk}/scopes/exports`, {})).status).toBe(403);
    for (const path of [
      'nonsense/imports',
      'constructor/imports',
      'scopes/imports/x',
      'scopes/exports/x/file',
    ])
      expect((await files.ask('GET', `${bulk}/${path}`)).status).toBe(404);
    expect((await files.ask('POST', `${bulk}/scopes/imports`, {})).status).toBe(415);
    expect((await files.ask('GET', `${bulk}/scopes/imports?limit=x`)).status).toBe(400);
  });
});
