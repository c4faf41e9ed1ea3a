// A store from before secrets within settings were sealed: the next start seals them, and everything works on.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, asker } from './ask.ts';
import { post } from './post.ts';
import { startTestServer, storeKinds, type TestServer } from './world.ts';

describe.each(storeKinds)('on %s', (engine) => {
  let world: TestServer | null;
  let ask: Ask;
  const parameters = {
    url: 'https://duty:old-password-1@hooks.example.invalid/x?key=old-key-1',
    method: 'POST',
    headers: { Authorization: 'Bearer old-header-1', Accept: 'text/plain' },
    body: '',
  };

  beforeAll(async () => {
    world = await startTestServer({ engine });
    if (world) ask = asker(world.as('privileged'));
  });
  afterAll(() => world?.stop());

  const stored = async () => {
    const texts: string[] = [];
    for (const table of ['resource', 'action_record', 'bulk_import_row', 'idempotency']) {
      const { rows } = await world!.services.database.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${table} t`,
      );
      texts.push(...rows.map(({ row }) => row));
    }
    const { rows } = await world!.services.database.query<{ data: Buffer }>(
      'select data from bulk_export_chunk',
    );
    return [...texts, ...rows.map(({ data }) => data.toString('latin1'))].join('\n');
  };

  test('is sealed once, and reads, sends and receives as before', async (context) => {
    if (!world) return context.skip();
    const { database } = world.services;
    const made = await ask('POST', '/api/apps/alerthub/actions', {
      displayName: 'old',
      kind: 'webhook',
      parameters,
    });
    const { actionId } = made.data as { actionId: string };
    const slot = (await ask('POST', '/api/apps/alerthub/receive-slots', { displayName: 'old' })).data as {
      receiveSlotId: string;
      primary: string;
      secondary: string;
    };
    await ask('POST', `/api/apps/alerthub/actions/${actionId}/test`, {});
    await world.settled();
    const exports = '/api/apps/alerthub/bulk-operations/actions/exports';
    const { exportId } = (await ask('POST', exports, {})).data as { exportId: string };
    await expect
      .poll(async () => ((await ask('GET', `${exports}/${exportId}`)).data as { status: string }).status, {
        interval: 20,
        timeout: 30_000,
      })
      .toBe('succeeded');
    const file = (await ask('GET', `${exports}/${exportId}/file`)).text;
    expect(file).toContain('old-header-1');
    expect(await stored()).not.toMatch(/old-(password|key|header)-1/);

    // As the program before this one left it.
    const tokenOf = (address: string) => new URL(address).pathname.split('/').at(-1)!;
    const tokens = [tokenOf(slot.primary), tokenOf(slot.secondary)];
    await database.query(`update resource set body = jsonb_set(body, '{parameters}', $2) where id = $1`, [
      actionId,
      JSON.stringify(parameters),
    ]);
    await database.query(
      `update resource set body = (body - 'primaryTokenSealed' - 'secondaryTokenSealed')
         || jsonb_build_object('primaryToken', $2::text, 'secondaryToken', $3::text) where id = $1`,
      [slot.receiveSlotId, ...tokens],
    );
    await database.query('update action_record set request = request || $1::jsonb', [
      JSON.stringify({ url: parameters.url, headers: parameters.headers }),
    ]);
    await database.query('update bulk_export_chunk set data = $1', [Buffer.from(file)]);
    await database.query('delete from sealed_rows');
    expect(await stored()).toMatch(/old-header-1/);
    await world.restart();

    const now = await stored();
    for (const secret of ['old-password-1', 'old-key-1', 'old-header-1', ...tokens])
      expect(now).not.toContain(secret);
    expect(now).toContain('text/plain');
    expect((await ask('GET', `/api/apps/alerthub/actions/${actionId}`)).data).toMatchObject({ parameters });
    expect((await ask('GET', `/api/apps/alerthub/receive-slots/${slot.receiveSlotId}`)).data).toMatchObject({
      primary: slot.primary.replace(/^http:\/\/[^/]+/, world.origin),
    });
    for (const token of tokens)
      expect((await post(`${world.origin}/receive/webhook/${token}`, '{}')).status).toBe(202);
    expect((await post(`${world.origin}/receive/webhook/${'A'.repeat(43)}`, '{}')).status).toBe(404);
    const records = await ask('GET', '/api/apps/alerthub/action-records');
    expect(records.text).toContain('old-header-1');
    expect((await ask('GET', `${exports}/${exportId}/file`)).text).toBe(file);

    // A second start finds nothing to do, and leaves what is sealed as it is.
    const before = await stored();
    await world.restart();
    expect(await stored()).toBe(before);
  });

  test('keeps a sealed setting through an edit of another field, and takes a new one', async (context) => {
    if (!world) return context.skip();
    const made = await ask('POST', '/api/apps/alerthub/actions', {
      displayName: 'edit',
      kind: 'webhook',
      parameters,
    });
    const { actionId } = made.data as { actionId: string };
    const path = `/api/apps/alerthub/actions/${actionId}`;
    const renamed = { displayName: 'renamed', remarks: '', kind: 'webhook', parameters };
    expect((await ask('PUT', path, renamed)).data).toMatchObject({ displayName: 'renamed', parameters });
    const headers = { Authorization: 'Bearer newer-header' };
    const changed = await ask('PUT', path, { ...renamed, parameters: { ...parameters, headers } });
    expect(changed.data).toMatchObject({ parameters: { headers } });
    expect(await stored()).not.toContain('newer-header');
  });

  test('a repeat with the same key gets the first reply, sealed meanwhile', async (context) => {
    if (!world) return context.skip();
    const create = (displayName: string) =>
      ask(
        'POST',
        '/api/apps/alerthub/actions',
        { displayName, kind: 'webhook', parameters },
        { headers: { 'idempotency-key': 'sealed-repeat' } },
      );
    const first = await create('repeated');
    expect((await create('repeated')).data).toEqual(first.data);
    expect((await create('another')).status).toBe(409);
    expect(await stored()).not.toContain('old-header-1');
  });
});
