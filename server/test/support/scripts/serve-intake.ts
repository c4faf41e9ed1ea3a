/**
 * A process with only the database and the intake of a server; each post is a message. Prints the stored
 * messages on SIGTERM.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Intake } from '../../../src/alerthub/intake/intake.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { createIdSource } from '../../../src/common/id.ts';
import { createLog } from '../../../src/common/log.ts';
import { migrations } from '../../../src/db/migrations/all.ts';
import { openDatabase } from '../../../src/db/open-database.ts';

const [folder = '', templateFile = ''] = process.argv.slice(2);
const spaceId = '00000000-0000-7000-8000-000000000001';
const receiveSlotId = '00000000-0000-7000-8000-00000000000a';
const log = createLog(process.stderr);
const database = await openDatabase({ folder, templateFile, migrations, log: (line) => log(line as never) });
void database.lost?.then((message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
const intake = new Intake({
  database,
  clock: systemClock,
  nextId: createIdSource(systemClock),
  log,
  changes: { publish: () => undefined } as never,
  onStored: () => undefined,
  journalFolder: join(folder, 'intake'),
});
await intake.start();

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const key = request.headers['idempotency-key'];
  try {
    await intake.receive({
      address: { spaceId, receiveSlotId, kind: 'webhook', endpoint: 'primary', disabled: false },
      requestUrl: 'http://localhost/',
      headers: {},
      body: Buffer.concat(parts),
      deliveryKey: typeof key === 'string' ? key : undefined,
    });
    response.writeHead(202).end();
  } catch {
    response.writeHead(503).end();
  }
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', async () => {
  await intake.drained();
  const { rows } = await database.query<{ body: Buffer }>('select body from message');
  process.stdout.write(`stored ${JSON.stringify(rows.map(({ body }) => body.toString()))}\n`);
  process.exit(0);
});
