// A server with PostgreSQL and YAGURA_INTAKE_JOURNAL=on.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimJournal } from '../../src/alerthub/intake/intake-journal.ts';
import { systemClock } from '../../src/common/clock.ts';
import { migrations } from '../../src/db/migrations/all.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { FolderBusy } from '../../src/db/pglite/folder-lock.ts';
import { Journal } from '../../src/journal/journal.ts';
import { createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const limits = { maxWaitingBytes: 1 << 30, reserveBytes: 0 };
let server: TestServer | null;
let databaseUrl: string;
let folder: string;
let address: string;

beforeAll(async () => {
  server = await startTestServer({
    engine: 'postgresql',
    receiver: 'thread',
    env: { YAGURA_INTAKE_JOURNAL: 'on' },
    prepare: async ({ env }) => {
      databaseUrl = env.DATABASE_URL!;
      folder = join(env.YAGURA_DATA!, 'intake');
    },
  });
  if (!server) return;
  const { data } = await call('POST', '/api/apps/alerthub/receive-slots', {
    displayName: 'journal',
    kind: 'webhook',
  });
  address = data.primary;
}, 120_000);
afterAll(() => server?.stop());
beforeEach((context) => {
  if (!server) context.skip();
});

// biome-ignore lint/suspicious/noExplicitAny: the responses are checked by the tests
const call = (method: 'GET' | 'POST', path: string, body?: object): Promise<{ data: any }> =>
  createApiCall(server!.transportAs('privileged'))(method, path, body);

async function storedTexts(): Promise<string[]> {
  const { data } = await call('GET', '/api/apps/alerthub/message/list?sort=receivedAt');
  return data.items.map(({ summary }: { summary: string }) => summary);
}

test('acknowledges messages from the journal, and a call sees those that were acknowledged before it', async () => {
  expect((await post(address, 'one')).status).toBe(202);
  expect(await storedTexts()).toEqual(['one']);
  expect(readdirSync(folder).some((name) => name.endsWith('.id'))).toBe(true);
  await server!.restart();
  expect((await post(address, 'two')).status).toBe(202);
  expect(await storedTexts()).toEqual(['one', 'two']);
});

test('a second server on the same data folder does not start', async () => {
  await expect(server!.startReplica()).rejects.toThrow(FolderBusy);
});

test('a server without journal starts only if no message waits in its folder', async () => {
  await server!.restart({ intake: { ...limits, journal: false } });
  expect((await post(address, 'three')).status).toBe(202);
  const leaveMessage = async () => {
    const database = await openDatabase({ databaseUrl, migrations });
    const claimed = await Journal.claim(folder, { log: () => undefined });
    const { journal } = await claimed.open(await claimJournal(database, claimed.ids, systemClock));
    await journal.append([Buffer.from('acknowledged, and not yet stored')]);
    await journal.close();
    await database.close();
  };
  await expect(server!.restart({}, leaveMessage)).rejects.toThrow('YAGURA_INTAKE_JOURNAL=on');
  await server!.restart({ intake: { ...limits, journal: true } });
  await server!.settled();
  // It is not the form of a message, so it is kept for the operator.
  expect(readdirSync(folder).filter((name) => name.endsWith('.refused'))).toHaveLength(1);
  await server!.restart({ intake: { ...limits, journal: false } });
  expect(await storedTexts()).toEqual(['one', 'two', 'three']);
});
