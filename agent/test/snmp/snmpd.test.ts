// The real snmpd, compared with what this machine says itself.
import { execFileSync } from 'node:child_process';
import { authProtocols, type CredentialFile } from '@yagura/core/ksocket/credential-file';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDevice } from './read-device.ts';
import { type Snmpd, startSnmpd, whyNoSnmpd } from './snmpd.ts';
import { testSnmpCredential } from './test-snmp-credential.ts';

const reason = whyNoSnmpd();
if (reason !== undefined) console.warn(`tests with the real snmpd are skipped: ${reason}`);

const sha = 'usmHMACSHAAuthProtocol';
const aes = 'usmAesCfb128Protocol';
const secrets = { authKey: 'auth-secret', privKey: 'priv-secret' };
/** Names of the protocols in snmpd.conf. */
const hashes: Record<(typeof authProtocols)[number], string> = {
  usmHMACMD5AuthProtocol: 'MD5',
  usmHMACSHAAuthProtocol: 'SHA',
  usmHMAC128SHA224AuthProtocol: 'SHA-224',
  usmHMAC192SHA256AuthProtocol: 'SHA-256',
  usmHMAC256SHA384AuthProtocol: 'SHA-384',
  usmHMAC384SHA512AuthProtocol: 'SHA-512',
};

const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8' });

/** What changes while this machine runs: lines of its interfaces and IPv4 routes, and its memory in KiB. */
type MachineState = Record<'interfaces' | 'routes' | 'memory', Set<string | number>>;

/** Numbers equal lines, so that a set keeps each of them. */
function numbered(lines: readonly string[]): Set<string> {
  return new Set(
    lines.map((line, at) => `${line} ${lines.slice(0, at).filter((one) => one === line).length}`),
  );
}

function machineState(): MachineState {
  const links = JSON.parse(run('ip', '-j', 'address')) as {
    ifname: string;
    address?: string;
    addr_info: { local: string }[];
  }[];
  const routes = JSON.parse(run('ip', '-j', '-4', 'route')) as { dst: string; gateway?: string }[];
  return {
    memory: new Set([Number(/MemTotal:\s*(\d+)/.exec(run('cat', '/proc/meminfo'))![1])]),
    interfaces: new Set(
      links.flatMap(({ ifname, address, addr_info }) => {
        const mac = address && /^[\da-f:]{17}$/.test(address) && !/^[0:]+$/.test(address) ? address : '-';
        const addresses = addr_info.length > 0 ? addr_info.map(({ local }) => local) : ['-'];
        return addresses.map((addr) => `${ifname} ${mac} ${addr}`);
      }),
    ),
    routes: numbered(
      routes.map(({ dst, gateway }) => `${dst === 'default' ? '0.0.0.0/0' : dst} ${gateway ?? '-'}`),
    ),
  };
}

describe.skipIf(reason !== undefined)('the real snmpd', { timeout: 60_000 }, () => {
  let snmpd: Snmpd;
  let atStart: MachineState;
  beforeAll(async () => {
    atStart = machineState();
    snmpd = await startSnmpd([
      'rocommunity right 127.0.0.1',
      'rocommunity blind 127.0.0.1 .1.3.6.1.4.1.99999',
      'sysName lab-host.example',
      'sysServices 72',
      'createUser open',
      'rouser open noauth',
      ...authProtocols.flatMap((name) => [
        `createUser u${name} ${hashes[name]} ${secrets.authKey}`,
        `rouser u${name} auth`,
      ]),
      ...['DES', 'AES', 'AES-256', 'AES-256-C'].flatMap((name) => [
        `createUser p${name} SHA ${secrets.authKey} ${name} ${secrets.privKey}`,
        `rouser p${name} priv`,
      ]),
    ]);
  }, 60_000);
  afterAll(() => snmpd?.close());

  const read = (account: string | Partial<CredentialFile>, limits = {}) =>
    readDevice(testSnmpCredential('snmp/a.toml', snmpd.port, account), {
      limits: { timeoutMs: 20_000, ...limits },
    });

  test('tells what this machine says itself', async () => {
    const before = machineState();
    const result = await read('right');
    const after = machineState();
    if ('code' in result) throw new Error(result.code);
    const { part, codes } = result.value;
    expect(codes).toEqual([]);
    expect(part.groups).toEqual(['interfaces', 'routes', 'system', 'packages', 'listening']);
    const { fields } = part;

    const found: MachineState = {
      interfaces: new Set(
        fields.interfaces!.map((one) => `${one.ifname} ${one.macaddr ?? '-'} ${one.addr ?? '-'}`),
      ),
      routes: numbered(fields.routes!.map((one) => `${one.destination} ${one.gateway ?? '-'}`)),
      memory: new Set([(fields.extraFields as { memory: { totalSize: number } }).memory.totalSize]),
    };
    // Other programs change the network meanwhile, virtual machines change their memory, and snmpd keeps what it
    // has read for a while.
    for (const kind of ['interfaces', 'routes', 'memory'] as const) {
      const views = [atStart[kind], before[kind], after[kind]];
      for (const one of before[kind])
        if (views.every((view) => view.has(one))) expect(found[kind]).toContain(one);
      const seen = new Set(views.flatMap((view) => [...view]));
      for (const one of found[kind]) expect(seen).toContain(one);
    }
    for (const { addr, netmask } of fields.interfaces!)
      if (addr === '127.0.0.1') expect(netmask).toBe('255.0.0.0');

    expect(fields.listening).toContainEqual({
      protocol: 'udp',
      address: '127.0.0.1',
      port: snmpd.port,
      process: 'snmpd',
    });
    const format = ['db:Status-Abbrev', 'Package', 'Version'].map((name) => `\${${name}}`).join('\t');
    // snmpd also lists packages that were removed without their configuration.
    const packages = run('dpkg-query', '-W', '-f', `${format}\n`)
      .split('\n')
      .flatMap((line) => (/^.[ic]/.test(line) ? [line.split('\t').slice(1).join(' ')] : []));
    expect(new Set(fields.packages!.map(({ name, version }) => `${name} ${version}`))).toEqual(
      new Set(packages),
    );

    const [release, version] = [run('uname', '-r').trim(), run('uname', '-v').trim()];
    expect(fields.system).toEqual({ family: 'Linux', version: release });
    expect(fields.extraFields).toMatchObject({ kernel: { name: 'Linux', release, version } });
    expect(fields.signatures?.engineId).toMatch(/^80001f88[\da-f]{18,}$/);
    expect(part.hostname).toBe('lab-host.example');
  });

  test('what was read better already is not read again', async () => {
    const credential = testSnmpCredential('snmp/a.toml', snmpd.port, 'right');
    const result = await readDevice(credential, {
      has: new Set(['packages', 'listening', 'routes'] as const),
      limits: { timeoutMs: 20_000 },
    });
    expect(result).toMatchObject({ value: { part: { groups: ['interfaces', 'system'] } } });
  });

  test.each<[string, Partial<CredentialFile>]>([
    ['no keys', { username: 'open' }],
    ...authProtocols.map((name): [string, Partial<CredentialFile>] => [
      hashes[name],
      { username: `u${name}`, authProtocol: name, authKey: secrets.authKey },
    ]),
    ['DES', { username: 'pDES', authProtocol: sha, ...secrets, privProtocol: 'usmDESPrivProtocol' }],
    ['AES', { username: 'pAES', authProtocol: sha, ...secrets, privProtocol: aes }],
    [
      'AES with 256 bits (Blumenthal)',
      { username: 'pAES-256', authProtocol: sha, ...secrets, privProtocol: 'usmAesCfb256Protocol' },
    ],
    [
      'AES with 256 bits (Reeder)',
      { username: 'pAES-256-C', authProtocol: sha, ...secrets, privProtocol: 'usmAesCfb256Protocol' },
    ],
  ])('opens for a user with %s', async (_, account) => {
    const timeoutMs = account.username === 'pAES-256-C' ? 300 : 20_000;
    const result = await read(account, { timeoutMs });
    expect(result).toMatchObject({ value: { part: { hostname: 'lab-host.example' }, codes: [] } });
  });

  const user = 'uusmHMACSHAAuthProtocol';
  test.each<[string, string | Partial<CredentialFile>, string]>([
    ['a wrong community', 'wrong', 'SNMP_SILENT'],
    ['a community that may read nothing', 'blind', 'SNMP_NO_ACCESS'],
    ['an unknown user', { username: 'nobody' }, 'SNMP_USER_UNKNOWN'],
    [
      'a wrong authentication key',
      { username: user, authProtocol: sha, authKey: 'wrong-secret' },
      'SNMP_WRONG_KEY',
    ],
    [
      'a wrong hash',
      { username: user, authProtocol: 'usmHMACMD5AuthProtocol', authKey: secrets.authKey },
      'SNMP_WRONG_KEY',
    ],
    [
      'a wrong privacy key',
      {
        username: 'pAES',
        authProtocol: sha,
        authKey: secrets.authKey,
        privProtocol: aes,
        privKey: 'wrong-secret',
      },
      'SNMP_WRONG_PRIVACY',
    ],
    [
      'a key that the user does not have',
      { username: 'open', authProtocol: sha, authKey: secrets.authKey },
      'SNMP_LEVEL_REFUSED',
    ],
    ['a user without the key that is required', { username: user }, 'SNMP_NO_ACCESS'],
  ])('refuses %s', async (_, account, code) => {
    expect(await read(account, { timeoutMs: 300 })).toEqual({ code });
  });
});
