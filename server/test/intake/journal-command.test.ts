// The command that lists messages set aside by the intake journal and resubmits them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Intake } from '../../src/alerthub/intake/intake.ts';
import { journalCommand } from '../../src/alerthub/intake/journal-command.ts';
import { systemClock } from '../../src/common/clock.ts';
import { CommandRefused } from '../../src/common/command-refused.ts';
import { createIdSource } from '../../src/common/id.ts';
import { ConfigError } from '../../src/config/config.ts';
import { migrations } from '../../src/db/migrations/all.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { createStartedFolder, type DataFolder } from '../support/data-folder.ts';

let data: DataFolder;
let intakeFolder: string;
beforeEach(async () => {
  data = await createStartedFolder(migrations);
  intakeFolder = join(data.folder, 'intake');
});
afterEach(() => data.remove());

const log = () => undefined;
async function run(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  await journalCommand({ args: [...args, '--data', data.folder], env: {}, log, print });
  return lines;
}

/** Runs an intake on the folder; returns the bodies in the database when it is stopped. */
async function serve(texts: string[]): Promise<string[]> {
  const database = await openDatabase({ folder: data.folder, migrations });
  const intake = new Intake({
    database,
    clock: systemClock,
    nextId: createIdSource(systemClock),
    log,
    changes: { publish: () => undefined } as never,
    onStored: () => undefined,
    journalFolder: intakeFolder,
  });
  await intake.start();
  for (const text of texts) {
    await intake.receive({
      address: {
        spaceId: '00000000-0000-7000-8000-000000000001',
        receiveSlotId: '00000000-0000-7000-8000-00000000000a',
        kind: 'webhook',
        endpoint: 'primary',
        disabled: false,
      },
      requestUrl: text.startsWith('refused') ? 'a\0b' : 'http://localhost/receive/webhook/secret-of-the-slot',
      headers: { 'content-type': 'text/plain', authorization: '[removed]' },
      body: Buffer.from(text),
      deliveryKey: undefined,
    });
  }
  await intake.drained();
  const { rows } = await database.query<{ body: Buffer }>(
    'select body from message order by received_at, message_id',
  );
  await intake.close();
  await database.close();
  return rows.map(({ body }) => body.toString());
}

test('lists and shows what was refused, and gives it back when it can be stored', async () => {
  expect(await run('list')).toEqual([expect.stringContaining('no rejected or damaged files')]);
  expect(await serve(['good', 'refused \u001b[2J', 'last'])).toEqual(['good', 'last']);
  expect(await run('list')).toEqual([
    expect.stringMatching(/^0000000000000002\.refused .* messages: 1, damaged bytes: 0/),
  ]);
  expect(JSON.parse((await run('list', '--json'))[0]!)).toMatchObject([
    { file: '0000000000000002.refused', kind: 'refused', messages: 1, damagedBytes: 0 },
  ]);
  const shown = (await run('show', '0000000000000002.refused')).join('\n');
  expect(shown).toContain('receiveSlotId: 00000000-0000-7000-8000-00000000000a');
  expect(shown).toContain('authorization: [removed]');
  expect(shown).toContain('refused \\u001b[2J');
  const fields = JSON.parse((await run('show', '0000000000000002.refused', '--json'))[0]!);
  expect(fields.messages).toMatchObject([
    { body: 'refused \u001b[2J', bodyEncoding: 'utf8', kind: 'webhook' },
  ]);
  expect(JSON.stringify(fields)).not.toContain('requestUrl');

  // Resubmitted unchanged, it is rejected and set aside again.
  expect(await run('resubmit', '0000000000000002.refused')).toEqual([
    expect.stringMatching(/^Messages resubmitted: 1, already there: 0/),
  ]);
  expect(await serve([])).toEqual(['good', 'last']);
  const again = readdirSync(intakeFolder).find((name) => name.endsWith('.refused'))!;
  const path = join(intakeFolder, again);
  writeFileSync(path, readFileSync(path).toString('latin1').replace('a\\u0000b', 'a-b'), 'latin1');
  await run('resubmit', again);
  expect(await serve([])).toEqual(['good', 'refused \u001b[2J', 'last']);
  // Messages already in the database are not stored twice.
  writeFileSync(join(intakeFolder, again), readFileSync(`${path}.resubmitted`));
  expect(await run('resubmit', again)).toEqual([
    'Messages resubmitted: 0, already there: 1. Start the server to process them.',
  ]);
  expect(await serve([])).toHaveLength(3);
});

test('shows what can be read of a damaged file, and refuses what is none', async () => {
  mkdirSync(intakeFolder, { recursive: true });
  writeFileSync(join(intakeFolder, '0000000000000001.damaged'), 'noise');
  expect(await run('show', '0000000000000001.damaged')).toEqual([
    '0000000000000001.damaged: messages: 0, damaged bytes: 5',
  ]);
  for (const name of [
    '../lock.1',
    'nothing',
    '0000000000000009.refused',
    '../intake/0000000000000001.damaged',
  ]) {
    await expect(run('show', name)).rejects.toThrow(CommandRefused);
  }
  await expect(run()).rejects.toThrow(ConfigError);
  await expect(run('show')).rejects.toThrow(ConfigError);
  await expect(run('list', '--what')).rejects.toThrow(ConfigError);
});

test('does not give back while a server has the folder', async () => {
  await serve(['refused']);
  const database = await openDatabase({ folder: data.folder, migrations });
  await expect(run('resubmit', '0000000000000001.refused')).rejects.toThrow('Stop the server');
  expect(await run('list')).toHaveLength(1);
  await database.close();
});
