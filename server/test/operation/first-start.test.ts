// The first start of a server, what keeps a later one from being taken for it, and commands where no server has started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { journalCommand } from '../../src/alerthub/intake/journal-command.ts';
import { hasWaitingMessages } from '../../src/alerthub/intake/waiting-messages.ts';
import { databaseCommand } from '../../src/commands/database-command.ts';
import { personCommand } from '../../src/commands/person-command.ts';
import { secretCommand } from '../../src/commands/secret-command.ts';
import { spaceCommand } from '../../src/commands/space-command.ts';
import { verifyAuditLogs } from '../../src/commands/verify-audit-command.ts';
import { CommandRefused } from '../../src/common/command-refused.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { migrations } from '../../src/db/migrations/all.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { type FirstSignIn, startServer } from '../../src/hosting/server.ts';
import {
  createDataFolder,
  createStartedFolder,
  type DataFolder,
  testTemplate,
} from '../support/data-folder.ts';
import { password } from '../support/identity-server.ts';

const log = () => undefined;
const print = () => undefined;

describe('a first start', () => {
  let place: DataFolder;
  beforeEach(async () => {
    place = await createStartedFolder(migrations);
  });
  afterEach(() => place.remove());

  const start = async (port: number, env: Record<string, string> = {}) => {
    const told: FirstSignIn[] = [];
    const config = readConfig(['--data', place.folder, '--port', String(port)], env);
    const starting = startServer({ config, version: 'test', log, onFirstSignIn: (one) => told.push(one) });
    const server = await starting.catch((error: Error) => error);
    if (!(server instanceof Error)) await server.close();
    return { told, server };
  };

  test('that cannot listen tells the password, which no later start would', { timeout: 60_000 }, async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const failed = await start(port);
    expect(failed.server).toMatchObject({ code: 'EADDRINUSE' });
    expect(failed.told).toEqual([
      { email: 'admin@yagura.local', password: expect.stringMatching(/^\S{12,}$/) },
    ]);
    other.close();
    await once(other, 'close');
    expect((await start(port)).told).toEqual([]);
  });

  // What the configuration cannot tell: the password is a variation of a common one.
  test.each([['YAGURA_ADMIN_PASSWORD', 'Password1234!']])(
    'with a refused %s says so without the value, and a later one works',
    { timeout: 60_000 },
    async (name, value) => {
      const { server, told } = await start(0, { [name]: value });
      expect(server).toBeInstanceOf(Error);
      expect((server as Error).message).toMatch(new RegExp(`^${name}: .{10}`));
      expect((server as Error).message).not.toContain(value);
      expect(told).toEqual([]);
      expect((await start(0)).told).toHaveLength(1);
    },
  );

  test('tells no password that was configured', { timeout: 60_000 }, async () => {
    const { told } = await start(0, { YAGURA_ADMIN_PASSWORD: password });
    expect(told).toEqual([{ email: 'admin@yagura.local', password: undefined }]);
  });
});

describe('a data folder without its database', () => {
  let place: DataFolder;
  beforeEach(() => {
    place = createDataFolder();
  });
  afterEach(() => place.remove());
  const at = (...names: string[]) => join(place.folder, ...names);
  const open = async () =>
    openDatabase({ folder: place.folder, templateFile: await testTemplate(), migrations: [] });

  test.each([
    ['intake', '0000000001.owner'],
    ['audit-anchors', 'space.json'],
  ])('is refused when "%s" of an earlier server is there', { timeout: 60_000 }, async (name, file) => {
    mkdirSync(at(name));
    await (await open()).close();
    rmSync(at('engine'), { recursive: true });
    writeFileSync(at(name, file), '');
    await expect(open()).rejects.toThrow(`has no database ("engine"), but "${name}" of an earlier server`);
    mkdirSync(at('engine'));
    await expect(open()).rejects.toThrow('copy it completely');
    expect(readdirSync(at('engine'))).toEqual([]);
    // The folder is free again.
    rmSync(at(name), { recursive: true });
    await (await open()).close();
  });

  test('with a copy over an interrupted first start is refused, and kept', { timeout: 60_000 }, async () => {
    await (await open()).close();
    mkdirSync(at('intake'));
    writeFileSync(at('intake', '0000000001.owner'), '');
    writeFileSync(at('engine.initialising'), '');
    await expect(open()).rejects.toThrow('contains an interrupted first start');
    expect(readdirSync(at('engine'))).toContain('PG_VERSION');
  });

  test('is named when it cannot be used', async () => {
    writeFileSync(at('file'), '');
    for (const folder of [at('file'), at('file', 'below')])
      await expect(openDatabase({ folder, migrations: [] })).rejects.toThrow(
        `The data folder ${folder} cannot be used: E`,
      );
  });
});

describe('a command for a folder in which no server has started', () => {
  let place: DataFolder;
  beforeEach(() => {
    place = createDataFolder();
  });
  afterEach(() => place.remove());

  const DATABASE_URL = 'postgres://localhost:1/none';
  test.each<[string, (folder: string) => Promise<unknown>]>([
    ['audit verify', (data) => verifyAuditLogs(readConfig(['--data', data], {}), log)],
    ['space list', (data) => spaceCommand({ args: ['list', '--data', data], env: {}, log, print })],
    [
      'person reset',
      (data) => personCommand({ args: ['reset', 'a@b.example', '--data', data], env: {}, log, print }),
    ],
    ['secret replace', (data) => secretCommand({ args: ['replace', '--data', data], env: {}, log, print })],
    [
      'database copy',
      (data) => databaseCommand({ args: ['copy', '--data', data], env: { DATABASE_URL }, log, print }),
    ],
    ['journal list', (data) => journalCommand({ args: ['list', '--data', data], env: {}, log, print })],
  ])('%s is refused, and leaves nothing there', async (_name, run) => {
    const folder = join(place.folder, 'mistyped');
    const refused = await run(folder).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CommandRefused);
    expect((refused as Error).message).toContain(folder);
    expect((refused as Error).message).toContain('--data');
    expect(readdirSync(place.folder)).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)('run by root for the folder of another user is refused', async () => {
    const { folder, remove } = await createStartedFolder(migrations);
    try {
      chownSync(join(folder, 'engine'), 65534, 65534);
      const before = readdirSync(folder);
      await expect(verifyAuditLogs(readConfig(['--data', folder], {}), log)).rejects.toThrow(
        /belongs to user ID 65534.*sudo -u '#65534'/,
      );
      expect(readdirSync(folder)).toEqual(before);
      mkdirSync(join(folder, 'intake'));
      writeFileSync(join(folder, 'intake', '0000000000000001.refused'), '');
      chownSync(join(folder, 'intake'), 65534, 65534);
      await expect(
        journalCommand({
          args: ['resubmit', '0000000000000001.refused', '--data', folder],
          env: {},
          log,
          print,
        }),
      ).rejects.toThrow('belongs to user ID 65534');
    } finally {
      remove();
    }
  });

  test('no messages wait where there is no intake journal', async () => {
    const waits = hasWaitingMessages({} as Database, join(place.folder, 'intake'), { unknown: true });
    expect(await waits).toBe(false);
  });

  test('verifying the audit logs of a database without spaces proves nothing', {
    timeout: 60_000,
  }, async () => {
    const { folder, remove } = await createStartedFolder(migrations);
    try {
      await expect(verifyAuditLogs(readConfig(['--data', folder], {}), log)).rejects.toThrow('no space yet');
    } finally {
      remove();
    }
  });
});

/** Built: loading its sources one by one takes seconds for each of these tests. */
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
if (!existsSync(main)) console.info('skipped: server/dist/main.js is missing');

describe.skipIf(!existsSync(main))('the program', () => {
  const run = (...args: string[]) => runWith({}, ...args);
  async function runWith(env: Record<string, string>, ...args: string[]) {
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...process.env, ...env },
    });
    const [out, said, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: code as number, out, said };
  }

  test('explains a command, and refuses a head that is missing', { timeout: 60_000 }, async () => {
    const [help, head] = await Promise.all([
      run('person', 'reset', '--help'),
      run('audit', 'verify', '--head'),
    ]);
    expect(help).toMatchObject({ code: 0, said: '' });
    expect(help.out).toMatch(/^Usage: yagura-server person reset EMAIL/);
    expect(head).toMatchObject({ code: 2, out: '' });
    expect(head.said).toMatch(/^--head: give a value\n/);
  });

  test('tells a refused setting without the list of all others', { timeout: 60_000 }, async () => {
    const { code, said } = await run('--port', 'x');
    expect(code).toBe(2);
    expect(said).toMatch(/^--port, PORT: give a number from 0 to 65535\n\nRun "yagura-server --help" .*\n$/);
  });

  test('explains itself whatever the settings are', { timeout: 60_000 }, async () => {
    const wrong = { PORT: 'x', YAGURA_SECRET: 'short' };
    const [help, mail, audit] = await Promise.all([
      runWith(wrong, '--help'),
      runWith(wrong, 'receive-mail', '--help'),
      runWith(wrong, 'audit', 'verify', '--help'),
    ]);
    for (const { code, said } of [help, mail, audit]) expect({ code, said }).toEqual({ code: 0, said: '' });
    expect(help.out).toContain('yagura-server person reset|second-factor|move …');
    expect(mail.out).toMatch(/^Usage: yagura-server receive-mail --slot ADDRESS/);
    expect(audit.out).toMatch(/^Usage: yagura-server audit verify \[--head HEAD\]/);
  });

  test('names a command that does not exist', { timeout: 60_000 }, async () => {
    const { code, said } = await run('persn', 'reset', 'ann@example.com');
    expect(code).toBe(2);
    expect(said).toMatch(/^persn: no such command\n\nRun "yagura-server --help"/);
  });

  test('serves although nobody reads what it prints', { timeout: 120_000 }, async () => {
    const place = await createStartedFolder(migrations);
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    const child = spawn(process.execPath, [main, '--data', place.folder, '--port', String(port)]);
    child.stdout.destroy();
    const said = text(child.stderr);
    const ended = once(child, 'close');
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200), {
      timeout: 60_000,
    });
    child.kill();
    await ended;
    await place.remove();
    expect(await said).toContain('standard output cannot be written');
    expect(await said).not.toContain('Emitted');
  });

  test.skipIf(process.getuid?.() !== 0)(
    'does not start as root on the data of another user',
    { timeout: 60_000 },
    async () => {
      const place = await createStartedFolder(migrations);
      chownSync(join(place.folder, 'engine'), 65534, 65534);
      const before = readdirSync(place.folder);
      const { code, said } = await run('--data', place.folder, '--port', '0');
      expect(readdirSync(place.folder)).toEqual(before);
      await place.remove();
      expect(code).toBe(1);
      expect(said).toMatch(/belongs to user ID 65534.*sudo -u '#65534'/);
    },
  );

  test('tells what to do about a port in use', { timeout: 120_000 }, async () => {
    const place = await createStartedFolder(migrations);
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, said } = await run('--data', place.folder, '--port', String(port));
    other.close();
    await place.remove();
    expect(code).toBe(1);
    expect(said).toContain('Another program uses this port. Stop it, or choose another one with --port');
  });

  test('names the settings of an address that this machine does not have', { timeout: 120_000 }, async () => {
    const place = await createStartedFolder(migrations);
    // Reserved for documentation (RFC 5737), so that no machine has it.
    const { code, said } = await run('--data', place.folder, '--port', '0', '--host', '192.0.2.1');
    await place.remove();
    expect(code).toBe(1);
    expect(said).toContain('EADDRNOTAVAIL');
    expect(said).toContain('Choose another one with --host (YAGURA_HOST) or YAGURA_MAIL_HOST.\n');
  });
});
