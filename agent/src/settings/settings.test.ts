import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import { authFields, type CredentialFile, writeCredentialFile } from '@yagura/core/ksocket/credential-file';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentError } from '../agent-error.ts';
import { credentialsFor, ignoredCredentials, readCredentials } from './credential-files.ts';
import { readKrokerFile, readSettings, readToken } from './settings.ts';

const english = createInterpolator('en', await loadTranslations('en'));
const key = ssh2.utils.generateKeyPairSync('ed25519', {
  ...{ passphrase: 'phrase', cipher: 'aes256-ctr', rounds: 1 },
}).private;
const token = `kst_${'a'.repeat(43)}`;
let root: string;
let folder: string;
let count = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'yagura-agent-settings-'));
});
beforeEach(() => {
  folder = join(root, String(count++));
  mkdirSync(folder, { mode: 0o700 });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string | Buffer, mode = 0o600): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

/** The error as the command line shows it. */
async function errorOf(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(AgentError);
  const { messageKey, params, lines } = error as AgentError;
  return [english(messageKey, params), ...lines];
}

const minimal = 'url = "https://ops.example.com"\ntokenFile = "token"\n';

describe('settings', () => {
  test.each(['https://ops.example.com/', 'HTTPS://Ops.example.com:443'])(
    'paths can be added to the URL %s',
    async (url) => {
      const text = minimal.replace('https://ops.example.com', url);
      const settings = await readSettings(write('agent.toml', text), english);
      expect(settings.url).toBe('https://ops.example.com');
    },
  );

  test('a minimal file permits nothing and fills in the rest', async () => {
    const settings = await readSettings(write('agent.toml', minimal), english);
    expect(settings).toMatchObject({
      tokenFile: join(folder, 'token'),
      stateFolder: '/var/lib/yagura-agent',
      scan: { allowed: [], forbidden: [], packetsPerSecond: 500, parallelHosts: 32 },
      requests: { allowed: [], ports: [] },
    });
    expect(settings.credentials).toBeUndefined();
  });

  test.each<[string, string, string]>([
    ['an unknown key', `${minimal}colour = 1\n`, 'colour: This field does not exist'],
    ['an unknown key of a table', `${minimal}[scan]\nallow = []\n`, 'scan.allow: This field does not exist'],
    ['a missing key', 'tokenFile = "token"\n', 'url: This field is required'],
    [
      'a network',
      `${minimal}[scan]\nallowed = ["10.0.0.0/33"]\n`,
      'scan.allowed.0: Enter an IPv4 address, with',
    ],
    ['IPv6', `${minimal}[scan]\nallowed = ["fe80::/10"]\n`, 'scan.allowed.0: Enter an IPv4 address, with'],
    ['more hosts than permitted', `${minimal}[scan]\nparallelHosts = 65\n`, 'scan.parallelHosts: '],
    ['no packets', `${minimal}[scan]\npacketsPerSecond = 0\n`, 'scan.packetsPerSecond: '],
    ['a port', `${minimal}[scan]\nports = [70000]\n`, 'scan.ports.0: '],
    ['other host keys', `${minimal}[scan]\nhostKeys = "some"\n`, 'scan.hostKeys: '],
    ['other scanners', `${minimal}[scan]\ndiscover = "nmap"\n`, 'scan.discover: '],
    ['no ports', `${minimal}[scan]\nports = []\n`, 'scan.ports: '],
    [
      'a private key in place of a log key',
      `${minimal}[sessions]\nlogKeys = ["AGE-SECRET-KEY-1QQ"]\n`,
      'sessions.logKeys.0: Enter an age recipient',
    ],
    ['a path in the URL', 'url = "https://a.example/x"\ntokenFile = "t"\n', 'url: Enter a URL such as'],
    ['a password in the URL', 'url = "https://a:b@c.example"\ntokenFile = "t"\n', 'url: Enter a URL such as'],
  ])('%s is refused by name', async (_, text, expected) => {
    const path = write('agent.toml', text);
    const lines = await errorOf(readSettings(path, english));
    expect(lines[0]).toBe(`${path} contains invalid values:`);
    expect(lines.slice(1).join('\n')).toContain(`  ${expected}`);
  });

  test('a syntax error names file, line and column, and quotes nothing', async () => {
    const path = write('agent.toml', `${minimal}password = "hunter2\n`);
    const lines = await errorOf(readSettings(path, english));
    expect(lines).toEqual([expect.stringMatching(/agent\.toml is not valid TOML: line 3, column \d+$/)]);
  });

  test('a role that is not set up has no settings; without any role, the file is refused', async () => {
    const gateway = 'url = "https://ops.example.com"\n[gateway]\nkeyFile = "kroker.json"\n';
    expect(await readSettings(write('agent.toml', gateway), english)).toMatchObject({
      gateway: { keyFile: join(folder, 'kroker.json') },
      sessions: { allowed: [], ports: [22, 23, 3389], maxSessions: 50, logKeys: [] },
    });
    const none = write('none.toml', 'url = "https://ops.example.com"\n');
    expect(await errorOf(readSettings(none, english))).toEqual([
      expect.any(String),
      '  tokenFile: This field is required',
    ]);
  });

  test('a key file of another space, or without a key, is refused without showing it', async () => {
    const d = 'd'.repeat(43);
    const privateKey = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43), d };
    const content = { krokerId: randomUUID(), token: `ykr_${'k'.repeat(43)}`, privateKey };
    const url = 'https://ops.example.com';
    const file = write('kroker.json', JSON.stringify({ url, ...content }));
    expect(await readKrokerFile({ url }, file)).toEqual({ url, ...content });
    const [other] = await errorOf(readKrokerFile({ url: 'https://other.example' }, file));
    expect(other).toContain(`belongs to the space ${url}`);
    const broken = write(
      'broken.json',
      JSON.stringify({ url, ...content, privateKey: { ...privateKey, x: 1 } }),
    );
    const [line] = await errorOf(readKrokerFile({ url }, broken));
    expect(line).toContain('is not the key file of a Kroker');
    expect(line).not.toContain(d);
    const open = write('open.json', JSON.stringify({ url, ...content }), 0o644);
    expect(await errorOf(readKrokerFile({ url }, open))).toEqual([
      expect.stringContaining('Other users can access'),
    ]);
  });

  test.each([0o640, 0o604, 0o620, 0o666])('mode %i is refused', async (mode) => {
    const path = write('agent.toml', minimal, mode);
    expect(await errorOf(readSettings(path, english))).toEqual([
      expect.stringContaining('Other users can access'),
    ]);
  });

  test.skipIf(process.getuid?.() !== 0)("another user's file is refused", async () => {
    const path = write('agent.toml', minimal);
    chownSync(path, 12_345, 12_345);
    expect(await errorOf(readSettings(path, english))).toEqual([
      expect.stringContaining('belongs to another user'),
    ]);
  });

  test('a folder, a missing file, binary and huge files are refused', async () => {
    expect(await errorOf(readSettings(folder, english))).toEqual([
      expect.stringContaining('not a regular file'),
    ]);
    expect(await errorOf(readSettings(join(folder, 'none'), english))).toEqual([
      expect.stringContaining('cannot be read: ENOENT'),
    ]);
    const binary = write('binary.toml', Buffer.from([0xff, 0xfe]));
    expect(await errorOf(readSettings(binary, english))).toEqual([expect.stringContaining('not UTF-8')]);
    const huge = write('huge.toml', `#${'x'.repeat(1024 * 1024)}`);
    expect(await errorOf(readSettings(huge, english))).toEqual([expect.stringContaining('larger than')]);
  });

  test('the link to a file counts as the file', async () => {
    const open = write('open.toml', minimal, 0o644);
    symlinkSync(open, join(folder, 'link.toml'));
    expect(await errorOf(readSettings(join(folder, 'link.toml'), english))).toEqual([
      expect.stringContaining('Other users can access'),
    ]);
  });

  test('a token of another form is refused without showing it', async () => {
    expect(await readToken({ tokenFile: write('token', `${token}\n`) })).toBe(token);
    const bad = write('bad', 'kst_short-secret');
    const [line] = await errorOf(readToken({ tokenFile: bad }));
    expect(line).toBe(`${bad} does not contain a Ksocket token. Copy the complete token.`);
  });
});

const empty: CredentialFile = {
  protocol: 'ssh',
  name: 'a',
  includes: ['10.0.0.0/24'],
  port: '',
  method: 'password',
  version: 'v2c',
  username: '',
  password: '',
  keyFile: '',
  passphrase: '',
  community: '',
  authProtocol: '',
  authKey: '',
  privProtocol: '',
  privKey: '',
};

describe('credential files', () => {
  const save = (file: Partial<CredentialFile>) => {
    const { path, text } = writeCredentialFile({ ...empty, ...file });
    write(path, text);
  };

  test.each<[string, Partial<CredentialFile>]>([
    ['ssh password', { username: 'ops', password: 'q"\\\u007fä', port: '2222' }],
    ['ssh key', { method: 'keyFile', username: 'ops', keyFile: '/KEY', passphrase: 'phrase' }],
    ['SNMP v2c', { protocol: 'snmp', community: 'public' }],
    [
      'SNMP v3',
      {
        protocol: 'snmp',
        version: 'v3',
        username: 'u',
        authProtocol: 'usmHMACSHAAuthProtocol',
        authKey: '12345678',
      },
    ],
    ['SNMP v3 without keys', { protocol: 'snmp', version: 'v3', username: 'u' }],
    ['WinRM', { protocol: 'winrm', username: 'u', password: 'p' }],
  ])('%s is read as the console writes it', async (_, file) => {
    const keyFile = write('id_test', key);
    const account = { ...empty, ...file, ...(file.keyFile ? { keyFile } : {}) };
    save(account);
    const [found, ...others] = await readCredentials(folder, english);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ file: `${account.protocol}/a.toml`, protocol: account.protocol });
    for (const { name } of authFields(account)) expect(found?.account[name]).toBe(account[name]);
    expect(found?.privateKey).toBe(file.keyFile ? key : undefined);
    expect(found?.port).toBe(
      file.port ? Number(file.port) : { ssh: 22, snmp: 161, winrm: 5985 }[account.protocol],
    );
  });

  test('files are tried in order of their names, within their networks', async () => {
    save({ name: 'b', username: 'u', password: 'p' });
    save({ name: 'a', username: 'u', password: 'p', includes: ['10.0.0.7'] });
    write('ssh/notes.txt', 'ignored');
    const all = await readCredentials(folder, english);
    const namesFor = (address: string) => credentialsFor(all, 'ssh', address).map(({ file }) => file);
    expect(namesFor('10.0.0.7')).toEqual(['ssh/a.toml', 'ssh/b.toml']);
    expect(namesFor('10.0.0.8')).toEqual(['ssh/b.toml']);
    expect(namesFor('10.0.1.7')).toEqual([]);
  });

  test.each<[string, string, string, string]>([
    ['no account', 'ssh', '[authData]\nusername = "u"\n', 'password'],
    ['both methods', 'ssh', '[authData]\nusername = "u"\npassword = "p"\nkeyFile = "/k"\n', 'keyFile'],
    ['an unknown key', 'ssh', '[authData]\nusername = "u"\npassword = "p"\nsudo = true\n', 'authData.sudo'],
    [
      'a short key',
      'snmp',
      '[authData]\nusername = "u"\nauthProtocol = "usmHMACSHAAuthProtocol"\nauthKey = "short"\n',
      'authKey',
    ],
    [
      'an unknown protocol',
      'snmp',
      '[authData]\nusername = "u"\nauthProtocol = "MD5"\nauthKey = "short-secret"\n',
      'authProtocol',
    ],
  ])('%s is refused by field, without the secret', async (_, protocol, text, field) => {
    const path = write(`${protocol}/x.toml`, `includes = ["10.0.0.0/8"]\n${text}`);
    const [head, ...lines] = await errorOf(readCredentials(folder, english));
    expect(head).toBe(`${path} contains invalid values:`);
    expect(lines).toEqual([expect.stringContaining(`  ${field}: `)]);
    expect(lines.join()).not.toContain('short');
  });

  test('an open file, key or folder is refused', async () => {
    save({ username: 'u', password: 'p' });
    chmodSync(join(folder, 'ssh/a.toml'), 0o644);
    expect(await errorOf(readCredentials(folder, english))).toEqual([
      expect.stringContaining('Other users can access'),
    ]);
    chmodSync(join(folder, 'ssh/a.toml'), 0o600);
    chmodSync(join(folder, 'ssh'), 0o777);
    expect(await errorOf(readCredentials(folder, english))).toEqual([
      expect.stringContaining('Other users can write'),
    ]);
    chmodSync(join(folder, 'ssh'), 0o700);
    const keyFile = write('id_open', 'KEY', 0o644);
    save({ method: 'keyFile', username: 'u', keyFile });
    expect(await errorOf(readCredentials(folder, english))).toEqual([
      `Other users can access ${keyFile}. Run chmod 600 on it.`,
    ]);
  });

  test.each([
    ['no key', () => 'KEY TEXT', ''],
    ['another passphrase', () => key, 'other'],
    ['no passphrase', () => key, ''],
  ])('a key file that cannot be used: %s', async (_, content, passphrase) => {
    const keyFile = write('id_unusable', content());
    save({ method: 'keyFile', username: 'u', keyFile, passphrase });
    expect(await errorOf(readCredentials(folder, english))).toEqual([
      `${folder}/ssh/a.toml: the key in ${keyFile} cannot be read with this passphrase`,
    ]);
  });
});

test('files that look like credentials and are not read are named', async () => {
  for (const name of ['ssh/a.toml', 'ssh/b.toml.txt', 'SSH/c.toml', 'd.toml', 'keys/id', 'snmp/E.TOML'])
    write(`credentials/${name}`, '');
  const ignored = ['SSH/c.toml', 'd.toml', 'snmp/E.TOML', 'ssh/b.toml.txt'];
  expect(await ignoredCredentials(join(folder, 'credentials'))).toEqual(ignored);
});
