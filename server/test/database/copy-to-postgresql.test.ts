// `yagura-server database copy`: every call answers the same on PostgreSQL as before on the embedded database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseCommand } from '../../src/commands/database-command.ts';
import { verifyAuditLogs } from '../../src/commands/verify-audit-command.ts';
import { CommandRefused } from '../../src/common/command-refused.ts';
import { readConfig } from '../../src/config/config.ts';
import { createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { listResourceCalls } from '../support/resource-calls.ts';
import { type Fixtures, seedFixtures } from '../support/seed-fixtures.ts';
import { startPostgresql, type TestPostgresql } from '../support/test-postgresql.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const postgresql = await startPostgresql();

describe.skipIf(!postgresql)('copied to PostgreSQL', () => {
  const { createDatabase, stop } = postgresql as TestPostgresql;
  let server: TestServer;
  let fixtures: Fixtures;
  let folder: string;
  beforeAll(async () => {
    server = (await startTestServer({
      engine: 'embedded',
      prepare: async ({ env }) => {
        folder = env.YAGURA_DATA!;
      },
    }))!;
    fixtures = await seedFixtures(server);
  }, 240_000);
  afterAll(async () => {
    await server?.stop();
    await stop();
  });

  const copy = (databaseUrl: string, lines: string[] = []) =>
    databaseCommand({
      args: ['copy', '--data', folder],
      env: { DATABASE_URL: databaseUrl },
      log: () => undefined,
      print: (line) => lines.push(line),
    });
  /** The responses of every reading call. */
  async function readAll() {
    const callApi = createApiCall(server.transportAs('privileged'));
    const found: Record<string, unknown> = {};
    for (const { method, path } of listResourceCalls(fixtures.params))
      if (method === 'GET') found[path] = (await callApi(method, path)).data;
    return found;
  }

  test('is refused while the server runs, and says what to do', async () => {
    await expect(copy(await createDatabase())).rejects.toThrow(/Stop the server, run this command again/);
  });

  test('everything is there, new rows continue the numbering, and the audit log is intact', async () => {
    const bodies = [Buffer.from([0, 255, 10, 92]), '{"n":12345678901234567890.10,"text":"櫓 \\u0000"}'];
    for (const body of bodies) expect((await post(fixtures.primary, body)).status).toBe(202);
    await server.settled();
    const before = await readAll();
    const databaseUrl = await createDatabase();
    const lines: string[] = [];
    await server.restart({ databaseUrl }, () => copy(databaseUrl, lines));
    expect(lines.at(-1)).toMatch(/^Copied and compared \d+ rows\./);

    const after = await readAll();
    const changed = Object.keys(before).filter(
      (path) => JSON.stringify(before[path]) !== JSON.stringify(after[path]),
    );
    // The stop ends running call chains; exporting the audit log is recorded in it.
    const volatile = [
      '/api/apps/pigeon/results',
      '/api/space/audit-records',
      '/api/space/audit-records/export',
    ];
    expect(changed.filter((path) => !volatile.includes(path))).toEqual([]);
    expect((await post(fixtures.primary, 'after the copy')).status).toBe(202);
    await server.settled();
    const config = readConfig(['--data', folder], { DATABASE_URL: databaseUrl });
    expect(await verifyAuditLogs(config, () => undefined)).toMatchObject({ intact: true });
    await expect(copy(databaseUrl)).rejects.toThrow(CommandRefused);
  });
});
