import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { defaultConnectionLimits, readMaxOpenFiles } from './connection-limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-config-'));
const file = join(folder, 'secret');
writeFileSync(file, `${'s'.repeat(32)}\n`);
afterAll(() => rmSync(folder, { recursive: true }));

test('has a default for everything', () => {
  expect(readConfig([], {})).toEqual({
    help: false,
    version: false,
    host: '127.0.0.1',
    port: 8480,
    publicUrl: undefined,
    dataFolder: 'data',
    databaseUrl: undefined,
    adminEmail: 'admin@yagura.local',
    adminPassword: undefined,
    bootstrapToken: undefined,
    outboundAllow: [],
    smtpUrl: undefined,
    mailFrom: undefined,
    sendgridUrl: 'https://api.sendgrid.com',
    spaceName: 'Yagura',
    secret: undefined,
    auditDays: 400,
    cancelDays: 14,
    metricsToken: undefined,
    connectionLimits: defaultConnectionLimits(readMaxOpenFiles()),
    slotRatePerMinute: 60_000,
    failingNoticeAfterSeconds: 300,
    intake: { maxWaitingBytes: 4 * 2 ** 30, reserveBytes: 256 * 2 ** 20 },
    mailIn: expect.objectContaining({ host: '127.0.0.1', port: undefined }),
    external: undefined,
    helpLinks: {},
    trustedProxies: [],
    ipRestriction: true,
    developerMode: false,
    contract: expect.objectContaining({ maxUsers: null }),
    pigeon: {
      line: undefined,
      maxConcurrentChains: 2,
      simulator: 'key:1',
      webhookUrl: undefined,
      webhookSecret: undefined,
    },
  });
});

test('reads the line that calls people, and refuses one that could not', () => {
  const webhook = {
    YAGURA_PIGEON_LINE: 'webhook',
    YAGURA_PIGEON_WEBHOOK_URL: 'https://calls.example.com',
    YAGURA_PIGEON_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
  };
  expect(readConfig([], webhook).pigeon).toMatchObject({
    line: 'webhook',
    webhookSecret: Buffer.alloc(24, 1),
  });
  for (const change of [
    { YAGURA_PIGEON_LINE: 'fax' },
    { YAGURA_PIGEON_LINES: '0' },
    { YAGURA_PIGEON_SIMULATOR: 'sings' },
    { YAGURA_PIGEON_WEBHOOK_URL: 'ftp://calls.example.com' },
    { YAGURA_PIGEON_WEBHOOK_SECRET: 'short' },
  ])
    expect(() => readConfig([], { ...webhook, ...change })).toThrow(Object.keys(change)[0]);
});

test('reads where the help menu leads', () => {
  const { helpLinks } = readConfig([], {
    YAGURA_GUIDE_URL: '/docs/api',
    YAGURA_SUPPORT_URL: 'mailto:help@example.com',
    YAGURA_PRIVACY_URL: ' ',
    YAGURA_PLAN_SUPPORT_MARKER: 'Premium',
    YAGURA_PLAN_SUPPORT_URL: 'https://example.com/premium',
  });
  expect(helpLinks).toEqual({
    guide: '/docs/api',
    support: 'mailto:help@example.com',
    planSupport: { marker: 'Premium', url: 'https://example.com/premium' },
  });
});

test.each([
  [{ YAGURA_TERMS_URL: 'javascript:alert(1)' }, 'YAGURA_TERMS_URL'],
  [{ YAGURA_GUIDE_URL: '//elsewhere.example' }, 'YAGURA_GUIDE_URL'],
  [{ YAGURA_PLAN_SUPPORT_MARKER: 'Premium' }, 'YAGURA_PLAN_SUPPORT_URL'],
])('refuses %j, naming the variable', (env, name) => {
  expect(() => readConfig([], env)).toThrow(name);
});

test.each([
  [
    'a flag over the environment',
    ['--port', '1', '--host', 'h', '--data', 'd'],
    { PORT: '2', YAGURA_HOST: 'x', YAGURA_DATA: 'y' },
    { port: 1, host: 'h', dataFolder: 'd' },
  ],
  [
    'the environment over the default',
    [],
    { PORT: '0', YAGURA_HOST: '::', YAGURA_DATA: 'y' },
    { port: 0, host: '::', dataFolder: 'y' },
  ],
  [
    'an origin without its path',
    [],
    { YAGURA_PUBLIC_URL: 'https://Alerts.example.com:443/' },
    { publicUrl: 'https://alerts.example.com' },
  ],
  [
    'a list with blanks',
    [],
    { YAGURA_OUTBOUND_ALLOW: ' 10.0.0.0/8, ,host ' },
    { outboundAllow: ['10.0.0.0/8', 'host'] },
  ],
  [
    'empty variables as none',
    [],
    { DATABASE_URL: '', YAGURA_ADMIN_EMAIL: '', YAGURA_PUBLIC_URL: '' },
    { databaseUrl: undefined, adminEmail: 'admin@yagura.local', publicUrl: undefined },
  ],
  [
    'a secret from a file',
    [],
    { YAGURA_SECRET_FILE: file, YAGURA_SECRET: 'ignored' },
    { secret: 's'.repeat(32) },
  ],
  ['help and version', ['-h', '--version'], {}, { help: true, version: true }],
])('reads %s', (_name, args, env, wanted) => {
  expect(readConfig(args, env)).toMatchObject(wanted);
});

test.each([
  ['a port that is no number', ['--port', 'x'], {}, '--port'],
  ['a port that is too high', [], { PORT: '65536' }, '--port'],
  ['a port below 0', [], { PORT: '-1' }, '--port'],
  ['half a port', [], { PORT: '80.5' }, '--port'],
  ['an unknown flag', ['--prot', '1'], {}, '--prot'],
  ['a word that is no flag', ['start'], {}, 'start'],
  ['a URL with a path', [], { YAGURA_PUBLIC_URL: 'https://a.example/b' }, 'YAGURA_PUBLIC_URL'],
  ['a URL of another scheme', [], { YAGURA_PUBLIC_URL: 'ftp://a.example' }, 'YAGURA_PUBLIC_URL'],
  ['no URL', [], { YAGURA_PUBLIC_URL: 'a.example' }, 'YAGURA_PUBLIC_URL'],
  ['a short bootstrap token', [], { YAGURA_BOOTSTRAP_TOKEN: 'short' }, 'YAGURA_BOOTSTRAP_TOKEN'],
  ['a short secret', [], { YAGURA_SECRET: 'x'.repeat(31) }, 'YAGURA_SECRET'],
  ['a file that is not there', [], { YAGURA_SECRET_FILE: join(folder, 'none') }, 'YAGURA_SECRET_FILE'],
])('refuses %s by name', (_name, args, env, named) => {
  expect(() => readConfig(args, env)).toThrow(ConfigError);
  expect(() => readConfig(args, env)).toThrow(named);
});

test.each([
  [128, { connections: 16, connectionsPerAddress: 4 }],
  [1024, { connections: 256, connectionsPerAddress: 64 }],
  [1_048_576, { connections: 10_000, connectionsPerAddress: 1000 }],
])('with %i open files, connections may use those that are not reserved', (maxOpenFiles, limits) => {
  expect(defaultConnectionLimits(maxOpenFiles)).toEqual(limits);
});
