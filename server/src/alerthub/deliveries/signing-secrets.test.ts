import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStoreWithTables } from '../../../test/support/test-store.ts';
import { ManualClock } from '../../common/clock.ts';
import { deriveSecret } from '../../common/secrets/server-secret.ts';
import type { ChangeBus } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';
import { SigningSecrets } from './signing-secrets.ts';

let store: Awaited<ReturnType<typeof createStoreWithTables>>;
let database: Database;
beforeAll(async () => {
  store = await createStoreWithTables('embedded');
  database = await store!.open();
}, 60_000);
afterAll(() => store?.remove());

test('both secrets of a renewed action sign for a day, then the new one alone', async () => {
  const clock = new ManualClock();
  const changes = { listen: () => () => {} } as unknown as ChangeBus;
  const signing = new SigningSecrets({ database, clock, changes, secret: deriveSecret(randomBytes(32)) });
  const [spaceId, actionId] = [
    '0190a0a0-0000-7000-8000-000000000001',
    '0190a0a0-0000-7000-8000-000000000002',
  ];
  const [first, ...none] = await signing.activeSecrets(actionId);
  expect(none).toHaveLength(0);
  await signing.renew(spaceId, actionId, (work) => database.transaction(work));
  const [second, before, ...more] = await signing.activeSecrets(actionId);
  expect(more).toHaveLength(0);
  expect(before).toEqual(first);
  expect(second).not.toEqual(first);
  clock.advance(86_400_000 - 1);
  expect(await signing.activeSecrets(actionId)).toHaveLength(2);
  clock.advance(1);
  expect(await signing.activeSecrets(actionId)).toEqual([second]);
});
