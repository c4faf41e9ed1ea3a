// A database from before secrets in settings were encrypted: the next start encrypts them, and everything
// keeps working.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let callApi: ApiCall;
  const parameters = {
    // Refused as a private address, so that nothing is sent again later.
    url: 'https://10.0.0.1/x?key=old-key-1',
    method: 'POST',
    headers: { Authorization: 'Bearer old-header-1', Accept: 'text/plain' },
    body: '',
  };

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  afterAll(() => server?.stop());

  const stored = async () => {
    const texts: string[] = [];
    for (const table of ['resource', 'action_record', 'bulk_import_row', 'idempotency']) {
      const { rows } = await server!.services.database.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${table} t order by 1`,
      );
      texts.push(...rows.map(({ row }) => row));
    }
    const { rows } = await server!.services.database.query<{ data: Buffer }>(
      'select data from bulk_export_chunk order by export_id, part',
    );
    return [...texts, ...rows.map(({ data }) => data.toString('latin1'))].join('\n');
  };

  test('is sealed once, and reads, sends and receives as before', async (context) => {
    if (!server) return context.skip();
    const { database } = server.services;
    const made = await callApi('POST', '/api/apps/alerthub/actions', {
      displayName: 'old',
      kind: 'webhook',
      parameters,
    });
    const { actionId } = made.data as { actionId: string };
    const slot = (await callApi('POST', '/api/apps/alerthub/receive-slots', { displayName: 'old' })).data as {
      receiveSlotId: string;
      primary: string;
      secondary: string;
    };
    await callApi('POST', `/api/apps/alerthub/actions/${actionId}/test`, {});
    await server.settled();
    const exports = '/api/apps/alerthub/bulk-operations/actions/exports';
    const { exportId } = (await callApi('POST', exports, {})).data as { exportId: string };
    await expect
      .poll(
        async () => ((await callApi('GET', `${exports}/${exportId}`)).data as { status: string }).status,
        {
          interval: 20,
          timeout: 30_000,
        },
      )
      .toBe('succeeded');
    const file = (await callApi('GET', `${exports}/${exportId}/file`)).text;
    expect(file).toContain('old-header-1');
    expect(await stored()).not.toMatch(/old-(key|header)-1/);

    // As stored by the previous release.
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
    await server.restart();

    const now = await stored();
    for (const secret of ['old-key-1', 'old-header-1', ...tokens]) expect(now).not.toContain(secret);
    expect(now).toContain('text/plain');
    expect((await callApi('GET', `/api/apps/alerthub/actions/${actionId}`)).data).toMatchObject({
      parameters,
    });
    expect(
      (await callApi('GET', `/api/apps/alerthub/receive-slots/${slot.receiveSlotId}`)).data,
    ).toMatchObject({
      primary: slot.primary.replace(/^http:\/\/[^/]+/, server.origin),
    });
    for (const token of tokens)
      expect((await post(`${server.origin}/receive/webhook/${token}`, '{}')).status).toBe(202);
    expect((await post(`${server.origin}/receive/webhook/${'A'.repeat(43)}`, '{}')).status).toBe(404);
    const records = await callApi('GET', '/api/apps/alerthub/action-records');
    expect(records.text).toContain('old-header-1');
    expect((await callApi('GET', `${exports}/${exportId}/file`)).text).toBe(file);

    // A second start finds nothing to do and leaves encrypted values unchanged.
    const before = await stored();
    await server.restart();
    expect(await stored()).toBe(before);

    // Neither does one after a crash before the work was recorded as done.
    await server.services.database.query("delete from sealed_rows where kind <> 'audit_chain'");
    await server.restart();
    expect(await stored()).toBe(before);
    expect((await callApi('GET', `${exports}/${exportId}/file`)).text).toBe(file);
  });

  test('keeps a sealed setting through an edit of another field, and takes a new one', async (context) => {
    if (!server) return context.skip();
    const made = await callApi('POST', '/api/apps/alerthub/actions', {
      displayName: 'edit',
      kind: 'webhook',
      parameters,
    });
    const { actionId } = made.data as { actionId: string };
    const path = `/api/apps/alerthub/actions/${actionId}`;
    const renamed = { displayName: 'renamed', remarks: '', kind: 'webhook', parameters };
    expect((await callApi('PUT', path, renamed)).data).toMatchObject({ displayName: 'renamed', parameters });
    const headers = { Authorization: 'Bearer newer-header' };
    const changed = await callApi('PUT', path, { ...renamed, parameters: { ...parameters, headers } });
    expect(changed.data).toMatchObject({ parameters: { headers } });
    expect(await stored()).not.toContain('newer-header');
  });

  test('a repeat with the same key gets the first reply, sealed meanwhile', async (context) => {
    if (!server) return context.skip();
    const create = (displayName: string) =>
      callApi(
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
