// Messages in the intake journal when its files are damaged or the server is stopping.
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Arrival } from '../../src/alerthub/arrivals/arrival.ts';
import { Intake } from '../../src/alerthub/intake/intake.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import type { Database } from '../../src/db/database.ts';
import { Journal } from '../../src/journal/journal.ts';
import { JournalReader } from '../../src/journal/journal-reader.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

const spaceId = '00000000-0000-7000-8000-000000000001';
const receiveSlotId = '00000000-0000-7000-8000-00000000000a';
const place = createDataFolder();

let store: TestStore;
let real: Database;
/** Blocks the next database write while set. */
let isOpen: Promise<void> | undefined;
let lines: LogLine[];
const running: Intake[] = [];

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  real = await store.open();
});
afterAll(async () => {
  await store.remove();
  place.remove();
});
beforeEach(async () => {
  await real.query('truncate message, message_pending, message_repeat');
  rmSync(place.folder, { recursive: true, force: true });
  isOpen = undefined;
  lines = [];
});
afterEach(async () => {
  for (const intake of running.splice(0)) await intake.close();
});

async function start(): Promise<Intake> {
  const clock = new ManualClock();
  const database = Object.create(real, {
    query: {
      async value(...given: Parameters<Database['query']>) {
        const [statement] = given;
        if (typeof statement !== 'string' && statement.name === 'message-intake') await isOpen;
        return real.query(...given);
      },
    },
  }) as Database;
  const intake = new Intake({
    ...{ database, clock, nextId: createIdSource(clock), log: (line) => lines.push(line) },
    changes: { publish: () => undefined } as never,
    onStored: () => undefined,
    journalFolder: place.folder,
  });
  running.push(intake);
  await intake.start();
  return intake;
}

const arrival = (text: string, deliveryKey?: string): Arrival => ({
  address: { spaceId, receiveSlotId, kind: 'webhook', endpoint: 'primary', disabled: false },
  requestUrl: 'http://localhost/receive/webhook/x',
  headers: {},
  body: Buffer.from(text),
  deliveryKey,
});

async function storedTexts(): Promise<string[]> {
  const { rows } = await real.query<{ body: Buffer }>(
    'select m.body from message m join message_pending p using (message_id) order by p.seq',
  );
  return rows.map(({ body }) => body.toString());
}

/** Blocks database writes until the returned function is called. */
function held(): () => void {
  let open: () => void = () => undefined;
  isOpen = new Promise((resolve) => {
    open = resolve;
  });
  return open;
}

/** Files of the journal, except the owner mark and the id of the process. */
const keptFiles = () => readdirSync(place.folder).filter((name) => !/\.(owner|id)$/.test(name));

/** Overwrites that many bytes with zeros, from the header of the entry with this text. */
function zero(bytes: Buffer, text: string, size: number): void {
  const begin = bytes.lastIndexOf('{"address"', bytes.indexOf(text)) - 20;
  bytes.fill(0, begin, Math.min(begin + size, bytes.length));
}

/** Journal files opened by this process, where the system reports them. */
function openFiles(): string[] {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return '';
    }
  });
  return paths.filter((path) => path.startsWith(place.folder));
}

/** Modifies the only journal file while messages in it are pending. */
function damage(change: (bytes: Buffer) => void): string {
  const [name, ...others] = keptFiles();
  expect(others).toEqual([]);
  const bytes = readFileSync(join(place.folder, name!));
  change(bytes);
  writeFileSync(join(place.folder, name!), bytes);
  return name!;
}

const large = 1 << 20;
test.each([
  ['a byte', 'second', (bytes: Buffer) => void bytes.write('X', bytes.indexOf('second'))],
  // Larger than the reader's window when few messages are pending.
  ['a megabyte', `second${'.'.repeat(large)}`, (bytes: Buffer) => zero(bytes, 'second', large)],
])('when %s is damaged all else is stored, and the file is kept', async (_what, second, change) => {
  const intake = await start();
  const open = held();
  for (const text of ['first', second, 'third']) await intake.receive(arrival(text));
  const fourth = await intake.receive(arrival('fourth', 'k'));
  const name = damage(change);
  open();
  await intake.drained();
  expect(await storedTexts()).toEqual(['first', 'third', 'fourth']);
  expect(await intake.receive(arrival('fourth', 'k'))).toBe(fourth);
  await intake.receive(arrival('fifth'));
  await intake.close();
  expect(keptFiles()).toEqual([`${name}.damaged`]);
  expect(lines).toEqual([
    { level: 'error', message: expect.stringContaining(`messages may be missing; kept as ${name}.damaged`) },
  ]);
  expect(await storedTexts()).toEqual(['first', 'third', 'fourth', 'fifth']);
});

test('when nothing of what was answered for can be read, its files are kept and later messages go on', async () => {
  const intake = await start();
  const open = held();
  await intake.receive(arrival('first'));
  await intake.receive(arrival('second'));
  await intake.receive(arrival('third'));
  const name = damage((bytes) => zero(bytes, 'second', bytes.length));
  open();
  await intake.drained();
  await intake.receive(arrival('later'));
  await intake.close();
  expect(await storedTexts()).toEqual(['first', 'later']);
  expect(keptFiles()).toEqual([`${name}.damaged`]);
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    `error the intake journal is damaged: messages may be missing; kept as ${name}.damaged`,
    'error messages 2 to 3 of the intake journal cannot be read',
  ]);
});

test('an entry that is no message is set aside when the server starts, and holds nothing up', async () => {
  const claimed = await Journal.claim(place.folder, { log: () => undefined });
  const { journal } = await claimed.open(0);
  await journal.append([Buffer.from('no message'), Buffer.from('{"fingerprint":""}\n')]);
  await journal.close();
  const intake = await start();
  await intake.receive(arrival('next'));
  await intake.drained();
  expect(await storedTexts()).toEqual(['next']);
  const refused = keptFiles().filter((name) => name.endsWith('.refused'));
  expect(refused).toEqual(['0000000000000001.refused', '0000000000000002.refused']);
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2);
});

test('what comes while the server stops is for the next start, and no file stays open', async () => {
  const intake = await start();
  await intake.receive(arrival('before'));
  await intake.drained();
  let late: Promise<string> | undefined;
  const close = JournalReader.prototype.close;
  const spy = vi.spyOn(JournalReader.prototype, 'close').mockImplementation(async function (
    this: JournalReader,
  ) {
    await close.call(this);
    late ??= intake.receive(arrival('late'));
  });
  await intake.close();
  spy.mockRestore();
  const id = await late;
  expect(id).toBeDefined();
  expect(await storedTexts()).toEqual(['before']);
  expect(openFiles()).toEqual([]);
  const next = await start();
  await next.drained();
  expect(await storedTexts()).toEqual(['before', 'late']);
});
