import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityServer, password, startIdentityServer } from '../../../test/support/identity-server.ts';
import { storeKinds } from '../../../test/support/test-store.ts';
import { hashPassword, verifyPassword } from './password.ts';

describe.each(storeKinds)('on the %s engine', (kind) => {
  let server: IdentityServer | null;
  beforeAll(async () => {
    server = await startIdentityServer(kind);
  }, 120_000);
  afterAll(() => server?.close());

  test('two who take the power of one another at once leave one of them with it', async (context) => {
    if (!server) return context.skip();
    const { identity } = server;
    const make = (name: string) =>
      identity.createUser({ email: `${name}@example.com`, displayName: name, privileged: true, password });
    const people = [await make('one'), await make('two')];
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.allSettled(
        people.map(({ userId }) => identity.updateUser(userId, { privileged: false })),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const { userId } of people) await identity.updateUser(userId, { privileged: true });
    }
  });
});

test('more passwords at once than can wait are refused for a moment', async () => {
  const hash = await hashPassword(password);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 110 }, () => verifyPassword(hash, password)),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(8);
  expect(refused[0]).toMatchObject({ reason: { kind: 'unavailable', retryAfter: 5 } });
  expect(await verifyPassword(hash, password)).toBe(true);
});
