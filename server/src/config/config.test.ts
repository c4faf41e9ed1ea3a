import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { defaultOf, isFromFile } from '../common/variable-kinds.ts';
import { defaultConnectionLimits, readMaxOpenFiles } from '../http/connection-limits.ts';
import { ConfigError, readConfig, readLogLevel, readQuestion, usage } from './config.ts';
import { flags, unknownVariables } from './environment.ts';
import { variables } from './variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-config-'));
const file = join(folder, 'secret');
writeFileSync(file, `${'s'.repeat(32)}\n`);
const emptyFile = join(folder, 'empty');
writeFileSync(emptyFile, '\n');
afterAll(() => rmSync(folder, { recursive: true }));

test('has a default for everything', () => {
  expect(readConfig([], {})).toEqual({
    host: '127.0.0.1',
    port: 8480,
    publicUrl: undefined,
    replicaUrl: undefined,
    dataFolder: 'data',
    databaseUrl: undefined,
    databaseConnections: 10,
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
    intake: { journal: false, maxWaitingBytes: 4 * 2 ** 30, reserveBytes: 256 * 2 ** 20 },
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
      sip: undefined,
      mockPhone: undefined,
      voice: { voiceJa: undefined, voiceUrl: undefined, voiceToken: undefined },
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
  const phone = { YAGURA_PIGEON_MOCK_PHONE: '[::1]:5070', YAGURA_DEVELOPER_MODE: 'on' };
  expect(readConfig([], phone).pigeon.mockPhone).toEqual({ address: '::1', port: 5070 });
  for (const change of [
    { YAGURA_PIGEON_LINE: 'fax' },
    { YAGURA_PIGEON_LINES: '0' },
    { YAGURA_PIGEON_SIMULATOR: 'sings' },
    { YAGURA_PIGEON_WEBHOOK_URL: 'ftp://calls.example.com' },
    { YAGURA_PIGEON_VOICE_URL: 'ftp://voice.example.com' },
    { YAGURA_PIGEON_MOCK_PHONE: '127.0.0.1:5070' },
    ...[
      '5070',
      '0.0.0.0:5070',
      '192.0.2.1:5070',
      '127.0.0.1',
      '127.0.0.1:0',
      '127.0.0.256:1',
      '[::]:5070',
    ].map((address) => ({ YAGURA_PIGEON_MOCK_PHONE: address, YAGURA_DEVELOPER_MODE: 'on' })),
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
  ['an IPv6 address in the brackets of a URL', ['--host', '[::1]'], {}, { host: '::1' }],
])('reads %s', (_name, args, env, wanted) => {
  expect(readConfig(args, env)).toMatchObject(wanted);
});

test.each([
  ['a port that is no number', ['--port', 'x'], {}, '--port'],
  ['a port that is too high', [], { PORT: '65536' }, '--port'],
  ['a port below 0', [], { PORT: '-1' }, '--port'],
  ['half a port', [], { PORT: '80.5' }, '--port'],
  [
    'a long name of the space',
    [],
    { YAGURA_SPACE_NAME: 'x'.repeat(101) },
    'YAGURA_SPACE_NAME: give at most 100',
  ],
  ['a folder that is empty', ['--data', ''], {}, '--data, YAGURA_DATA: give a value'],
  ['a port that is empty', ['--port', ' '], { PORT: '80' }, '--port, PORT: give a value'],
  ['an unknown flag', ['--prot', '1'], {}, '--prot'],
  ['a word that is no flag', ['start'], {}, 'start'],
  ['a URL with a path', [], { YAGURA_PUBLIC_URL: 'https://a.example/b' }, 'YAGURA_PUBLIC_URL'],
  ['a URL of another scheme', [], { YAGURA_PUBLIC_URL: 'ftp://a.example' }, 'YAGURA_PUBLIC_URL'],
  ['every IPv6 address as a proxy', [], { YAGURA_TRUSTED_PROXIES: '::/0' }, '::/0 contains every client'],
  ['a folder as the file of a secret', [], { YAGURA_SECRET_FILE: folder }, 'this is a folder'],
  ['no URL', [], { YAGURA_PUBLIC_URL: 'a.example' }, 'YAGURA_PUBLIC_URL'],
  ['a replica with a path', [], { YAGURA_REPLICA_URL: 'http://10.0.0.2/b' }, 'YAGURA_REPLICA_URL'],
  ['a short bootstrap token', [], { YAGURA_BOOTSTRAP_TOKEN: 'short' }, 'YAGURA_BOOTSTRAP_TOKEN'],
  ['a short secret', [], { YAGURA_SECRET: 'x'.repeat(31) }, 'YAGURA_SECRET'],
  ['a file that is not there', [], { YAGURA_SECRET_FILE: join(folder, 'none') }, 'YAGURA_SECRET_FILE'],
])('refuses %s by name', (_name, args, env, named) => {
  expect(() => readConfig(args, env)).toThrow(ConfigError);
  expect(() => readConfig(args, env)).toThrow(named);
});

test.each([
  [['-h', '--version'], 'help'],
  [['--version'], 'version'],
  [['--port', 'x'], undefined],
])('%j asks for %s, whatever the settings are', (args, wanted) => {
  expect(readQuestion(args)).toBe(wanted);
});

test('finds variables that look like settings', () => {
  const env = {
    YAGURA_SECRETS: 'x',
    YAGURA_SECRET_FILE: 'x',
    YAGURA_DATA: 'x',
    YAGURA_DATA_FILE: 'x',
    PATH: 'x',
  };
  expect(unknownVariables({ ...env, YAGURA_BLANK: ' ' })).toEqual(['YAGURA_SECRETS', 'YAGURA_DATA_FILE']);
});

test.each([
  [128, { connections: 16, connectionsPerAddress: 4 }],
  [1024, { connections: 256, connectionsPerAddress: 64 }],
  [1_048_576, { connections: 10_000, connectionsPerAddress: 1000 }],
])('with %i open files, connections may use those that are not reserved', (maxOpenFiles, limits) => {
  expect(defaultConnectionLimits(maxOpenFiles)).toEqual(limits);
});

test('reports all errors at once, without the values', () => {
  const env = {
    PORT: '80.5',
    YAGURA_BOOTSTRAP_TOKEN: 'short-token',
    YAGURA_PUBLIC_URL: 'https://user:password@a.example/b',
    YAGURA_SECRET_FILE: join(folder, 'none'),
    YAGURA_MAIL_CONNECTIONS: 'many',
    YAGURA_MAIL_TLS_CERT: 'certificate',
    YAGURA_PIGEON_LINE: 'webhook',
    YAGURA_PIGEON_WEBHOOK_SECRET: 'weak-secret',
    YAGURA_LOG_LEVEL: 'loud',
    YAGURA_OIDC_CLIENT_SECRET: 'provider-secret',
    YAGURA_PLAN_SUPPORT_MARKER: 'Premium',
    DATABASE_URL: 'mysql://user:password@a.example/b',
    YAGURA_ADMIN_EMAIL: 'nobody',
    YAGURA_ADMIN_PASSWORD: 'short-password',
    YAGURA_CONTRACT_FILE: folder,
    YAGURA_MAIL_FROM: '@@',
    YAGURA_METRICS_TOKEN_FILE: emptyFile,
    YAGURA_OUTBOUND_ALLOW: '10.0.0.0/8, 10.0.0.0/33',
    YAGURA_SMTP_URL: 'user:password@a.example',
    YAGURA_TRUSTED_PROXIES: '10.0.0.1, 0.0.0.0/0',
  };
  expect(messageOf([], env).split('\n').sort()).toEqual([
    '--port, PORT: give a number from 0 to 65535',
    'DATABASE_URL: give postgresql://user:password@host:port/database',
    'YAGURA_ADMIN_EMAIL: give an email address',
    'YAGURA_ADMIN_PASSWORD: give 12 to 256 characters with a letter, a digit and a symbol',
    'YAGURA_BOOTSTRAP_TOKEN: give at least 32 characters',
    'YAGURA_CONTRACT_FILE: this is a folder; give the path of a file (EISDIR)',
    'YAGURA_LOG_LEVEL: give one of debug, info, warn, error',
    'YAGURA_MAIL_CONNECTIONS: give a whole number from 1 to 10000',
    'YAGURA_MAIL_FROM: give an address, or a name and an <address>',
    'YAGURA_MAIL_TLS_CERT, YAGURA_MAIL_TLS_KEY: give both or neither',
    'YAGURA_METRICS_TOKEN_FILE: the file is empty',
    'YAGURA_OIDC_CLIENT_SECRET: set YAGURA_OIDC_ISSUER too, or neither',
    'YAGURA_OUTBOUND_ALLOW: "10.0.0.0/33" is not a network, an address, a host name or one of these with a port',
    'YAGURA_PIGEON_WEBHOOK_SECRET: give 24 to 64 bytes in base64, with or without whsec_ before them',
    'YAGURA_PIGEON_WEBHOOK_URL: give the http or https address of the provider',
    'YAGURA_PLAN_SUPPORT_MARKER, YAGURA_PLAN_SUPPORT_URL: give both or neither',
    'YAGURA_PUBLIC_URL: give an origin such as https://alerts.example.com',
    'YAGURA_SECRET_FILE: the file does not exist (ENOENT)',
    'YAGURA_SMTP_URL: The SMTP URL must look like smtp://host:587 or smtps://user:password@host',
    'YAGURA_TRUSTED_PROXIES: 0.0.0.0/0 contains every client, which could then forge its address: list the proxies',
  ]);
});

test.each(Object.entries(variables).flatMap(([name, schema]) => (isFromFile(schema) ? [name] : [])))(
  'never repeats the secret in %s',
  (name) => {
    const canary = 'canary-secret';
    const settings: Record<string, string>[] = [
      {},
      { YAGURA_PIGEON_LINE: 'webhook' },
      { YAGURA_MAIL_TLS_KEY: canary },
    ];
    for (const others of settings)
      expect(messageOf([], { ...others, [name]: canary, PORT: 'x' })).not.toContain(canary);
  },
);

function messageOf(args: string[], env: Record<string, string>): string {
  try {
    readConfig(args, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the configuration was accepted');
}

describe.each(['docs/configuration.md', 'docs/ja/configuration.md'])('%s', (path) => {
  const page = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const rows = page.split('\n').flatMap((line) => {
    if (!line.startsWith('|')) return [];
    const cells = line.split('|').map((cell) => cell.trim());
    const at = cells.findIndex((cell) => /^`[A-Z][A-Z_]+`/.test(cell));
    if (at < 0) return [];
    const names = cells[at]!.matchAll(/`([A-Z][A-Z_]+)`( `_FILE`)?/g);
    return [...names].map(([, name, file]) => ({
      name: name!,
      fromFile: file !== undefined,
      flag: /^`--([a-z-]+)`$/.exec(cells[at - 1]!)?.[1],
      default: cells[at + 1]!.replaceAll('`', ''),
    }));
  });

  test('lists every variable once, with its flag and whether it may come from a file', () => {
    const flagOf = new Map(Object.entries(flags).map(([flag, name]) => [name as string, flag]));
    const wanted = Object.entries(variables).map(([name, schema]) => ({
      name,
      fromFile: isFromFile(schema),
      flag: flagOf.get(name),
    }));
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(rows.map(({ default: _, ...row }) => row).sort(byName)).toEqual(wanted.sort(byName));
  });

  test.each(Object.entries(variables))('gives the default of %s', (name, schema) => {
    const documented = rows.find((row) => row.name === name)?.default;
    const value = defaultOf(schema);
    if (value !== undefined) expect(documented).toBe(value);
    // Without a default, the table says in words what happens.
    else expect(documented).not.toMatch(/^(?:\d+|on|off)$/);
  });
});

test.each([
  [undefined, 'info'],
  ['', 'info'],
  ['debug', 'debug'],
  ['loud', 'info'],
])('logs with YAGURA_LOG_LEVEL %j at level %s', (given, wanted) => {
  expect(readLogLevel({ YAGURA_LOG_LEVEL: given })).toBe(wanted);
});

test('the usage text names every variable', () => {
  const listed = /Environment:\n([\s\S]+)\nSee/.exec(usage)![1]!.split(/,\s+/);
  expect(listed.map((name) => name.replace('[_FILE]', ''))).toEqual(Object.keys(variables));
});
