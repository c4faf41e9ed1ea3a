// How much strangers can make the provider store.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IdentityServer, startIdentityServer } from '../../../test/support/identity-server.ts';
import { isoTime } from '../../common/clock.ts';

let server: IdentityServer;
beforeAll(async () => {
  server = (await startIdentityServer())!;
}, 60_000);
afterAll(() => server.close());
beforeEach(() => server.database.query('delete from oidc_payload'));

const count = async (model: string) => {
  const { rows } = await server.database.query<{ count: number }>(
    'select count(*)::int as count from oidc_payload where model = $1',
    [model],
  );
  return rows[0]!.count;
};
const parameters = (state: string) => ({
  ...{ client_id: 'yagura-web', response_type: 'code', scope: 'openid', state },
  ...{ redirect_uri: `${server.publicUrl}/authorize`, nonce: 'n' },
  ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
});
/** The error that goes back to the client; null when the sign-in page comes. */
async function begin(state = 's'): Promise<string | null> {
  const query = new URLSearchParams(parameters(state));
  const reply = await fetch(`${server.publicUrl}/oidc/auth?${query}`, { redirect: 'manual' });
  expect(reply.status).toBe(303);
  return new URL(reply.headers.get('location')!, server.publicUrl).searchParams.get('error');
}

describe('a sign-in that is begun', () => {
  test('is stored up to the length of its parameters', async () => {
    expect(await begin('s')).toBeNull();
    const { rows } = await server.database.query<{ length: number }>(
      `select sum(length(value))::int as length from oidc_payload, jsonb_each_text(payload->'params')
       where model = 'Interaction'`,
    );
    const longest = 's'.repeat(2048 - rows[0]!.length + 1);
    expect(await begin(longest)).toBeNull();
    expect(await begin(`${longest}s`)).toBe('invalid_request');
    expect(await count('Interaction')).toBe(2);
  });

  test('is one of so many from a network; others and later ones go on', async () => {
    server.address = '2001:db8:0:1::1';
    // Fills the budget of the network as that many requests would.
    await begin();
    await server.database.query(
      `update signin_budget set empty_at = $1 where kind = 'sign-in-request address' and empty_at = $2`,
      [isoTime(server.clock.now() + 599 * 2_000), isoTime(server.clock.now() + 2_000)],
    );
    server.address = '2001:db8:0:1::2';
    expect(await begin()).toBeNull();
    expect(await begin()).toBe('temporarily_unavailable');
    expect(await count('Interaction')).toBe(2);
    server.address = '2001:db8:0:2::1';
    expect(await begin()).toBeNull();
    server.address = '2001:db8:0:1::1';
    server.clock.advance(2_000);
    expect(await begin()).toBeNull();
  });

  test('by a device has parameters no longer either', async () => {
    const request = (scope: string) =>
      fetch(`${server.publicUrl}/oidc/device/auth`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'yagura-cli', scope }),
      });
    expect((await request('openid')).status).toBe(200);
    expect((await request(`openid ${'x '.repeat(2048)}`)).status).toBe(400);
    expect(await count('DeviceCode')).toBe(1);
  });
});

test('of what nobody has signed in to, a space keeps the newest', async () => {
  const insert = (model: string, payload: object, rows: number) =>
    server.database.query(
      `insert into oidc_payload (space_id, model, id, payload, expires_at)
       select $1, $2, $2 || $3::text || n, $3::jsonb, $4::timestamptz + make_interval(secs => n) from generate_series(1, $5::int) n`,
      [server.spaceId, model, JSON.stringify(payload), isoTime(server.clock.now()), rows],
    );
  await insert('Interaction', {}, 10_002);
  await insert('Session', {}, 10_001);
  await insert('Session', { accountId: 'hana' }, 1);
  await server.identity.cleanup();
  expect([await count('Interaction'), await count('Session')]).toEqual([10_000, 10_001]);
  const { rows } = await server.database.query<{ id: string }>(
    "select id from oidc_payload where id in ('Interaction{}2', 'Interaction{}3')",
  );
  expect(rows).toEqual([{ id: 'Interaction{}3' }]);
});
