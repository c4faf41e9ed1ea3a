// A site of network namespaces: what a scan finds there is compared with what each namespace says itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AgentMessage, ScannedHost } from '@yagura/core/ksocket/agent-protocol';
import { type LabSite, openSite, whyNoLab } from '@yagura/fixtures/lab/namespaces';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCredential } from './test-credential.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const reason = whyNoLab();
// Not a failure in CI either: whether namespaces can be made depends on the machine, not on what is installed.
if (reason !== undefined) console.warn(`tests in network namespaces are skipped: ${reason}`);

describe.skipIf(reason !== undefined)('a site', { timeout: 120_000 }, () => {
  let site: LabSite;
  const hosts: ChildProcess[] = [];
  const hostKeys: Record<string, string> = {};

  /** Starts a program of the tests inside a namespace. */
  const start = (name: string, file: string, ...args: string[]) => {
    const program = fileURLToPath(new URL(file, import.meta.url));
    const [command, all] = site.node(name).inside(process.execPath, '--import', 'tsx', program, ...args);
    return spawn(command, all, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  };

  beforeAll(async () => {
    site = openSite({
      switches: {
        near: {
          agent: '10.77.1.2/24',
          router: '10.77.1.1/24',
          web: '10.77.1.10/24',
          quiet: '10.77.1.11/24',
          forbidden: '10.77.1.66/24',
        },
        far: { router: '10.77.2.1/24', distant: '10.77.2.10/24' },
      },
      router: 'router',
      gateways: {
        ...{ agent: '10.77.1.1', web: '10.77.1.1', quiet: '10.77.1.1', forbidden: '10.77.1.1' },
        distant: '10.77.2.1',
      },
    });
    // Answers neither ping nor TCP: packets of these protocols cannot leave.
    for (const protocol of ['tcp', 'icmp'])
      site.node('quiet').run('ip', 'rule', 'add', 'pref', '1', 'ipproto', protocol, 'blackhole');
    for (const name of ['router', 'web', 'distant', 'forbidden']) {
      const host = start(name, './lab-host.ts');
      hosts.push(host);
      const ended = once(host, 'close').then(() => {
        throw new Error(`the host ${name} did not start`);
      });
      const [key] = await Promise.race([once(host.stdout!, 'data'), ended]);
      hostKeys[name] = String(key).trim();
    }
  }, 120_000);
  afterAll(() => {
    for (const host of hosts) host.kill('SIGKILL');
    site?.close();
  });

  async function scan(): Promise<ScannedHost[]> {
    const options = {
      allowed: ['10.77.0.0/16'],
      scan: { forbidden: ['10.77.1.66'], ports: [22] },
      credentials: [testCredential('ssh/lab.toml', 22, 'right', '10.77.0.0/16')],
      seeds: ['10.77.1.0/24', '10.77.2.0/28'],
    };
    const child = start('agent', './lab-scan.ts', JSON.stringify(options));
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    return (JSON.parse(output) as Extract<AgentMessage, { type: 'hosts' }>[]).flatMap(
      ({ hosts: found }) => found,
    );
  }
  const addressesOf = (found: ScannedHost[]) =>
    found.flatMap(({ addresses }) => addresses.map(({ addr }) => addr)).sort();
  const byAddress = (found: ScannedHost[], addr: string) =>
    found.find(({ addresses }) => addresses.some((one) => one.addr === addr));
  const json = (name: string, ...args: string[]) =>
    JSON.parse(site.node(name).run('ip', '-j', ...args)) as Record<string, unknown>[];

  test('is found as it is, twice without a difference, and forbidden hosts receive nothing', async () => {
    const received = () => {
      const [, values] = site.node('forbidden').run('grep', '^Ip:', '/proc/net/snmp').split('\n');
      return Number(values!.split(' ')[3]);
    };
    const before = received();
    const found = await scan();
    expect(addressesOf(found)).toEqual([
      '10.77.1.1',
      '10.77.1.10',
      '10.77.1.11',
      '10.77.1.2',
      '10.77.2.1',
      '10.77.2.10',
    ]);
    // The router is one host with two addresses.
    expect(byAddress(found, '10.77.2.1')).toBe(byAddress(found, '10.77.1.1'));

    // Hardware addresses of the same link, also of a host that answers on no port; behind the router, as it knows them.
    const macOf = (name: string) =>
      json(name, 'address', 'show').find(({ ifname }) => ifname !== 'lo')!.address as string;
    const foundMac = (addr: string) =>
      byAddress(found, addr)?.addresses.find((one) => one.addr === addr)?.macaddr;
    for (const [name, addr] of [
      ['web', '10.77.1.10'],
      ['quiet', '10.77.1.11'],
      ['agent', '10.77.1.2'],
      ['distant', '10.77.2.10'],
    ] as const)
      expect(foundMac(addr)).toBe(macOf(name));
    expect(byAddress(found, '10.77.2.10')!.evidence).toContainEqual({
      group: 'addresses',
      source: 'arp',
      at: expect.any(String),
      credential: 'ssh/lab.toml',
    });

    // Facts, host by host.
    for (const [name, addr] of [
      ['web', '10.77.1.10'],
      ['distant', '10.77.2.10'],
      ['router', '10.77.1.1'],
    ] as const) {
      const host = byAddress(found, addr)!;
      expect(host.signatures.sshHostKey).toBe(hostKeys[name]);
      const interfaces = json(name, 'address', 'show').flatMap(({ ifname, addr_info }) =>
        (addr_info as { local: string }[]).map(({ local }) => `${ifname} ${local}`),
      );
      expect(host.interfaces.map((one) => `${one.ifname} ${one.addr}`)).toEqual(interfaces);
      const routes = json(name, '-4', 'route', 'show').map(({ dst }) =>
        dst === 'default' ? '0.0.0.0/0' : dst,
      );
      expect(host.routes.map(({ destination }) => destination)).toEqual(routes);
      const listening = site.node(name).run('ss', '-H', '-l', '-n', '-t').trim().split('\n');
      expect(host.listening.map(({ address, port }) => `${address}:${port}`)).toEqual(
        listening.map((line) => line.split(/\s+/)[3]),
      );
    }

    const shape = (hosts: ScannedHost[]) =>
      hosts
        .map(({ evidence, extraFields, ...host }) => ({
          ...host,
          groups: evidence.map(({ group }) => group),
        }))
        .sort((a, b) => (a.addresses[0]!.addr < b.addresses[0]!.addr ? -1 : 1));
    const again = await scan();
    expect(addressesOf(again)).toEqual(addressesOf(found));
    expect(shape(again)).toEqual(shape(found));
    expect(received() - before).toBe(0);
    expect(json('agent', 'neighbor', 'show').map(({ dst }) => dst)).not.toContain('10.77.1.66');
  });

  test('refuses programs that send packets outside of it', async () => {
    const program = fileURLToPath(new URL('./lab-host.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', program], { cwd: root, stdio: 'ignore' });
    expect(await once(child, 'close')).toEqual([1, null]);
  });
});
