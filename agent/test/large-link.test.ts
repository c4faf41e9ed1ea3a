// A link with more addresses than the kernel's neighbor table holds, and hosts behind a router that answer to
// nothing but ping.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AgentMessage, ScannedHost } from '@yagura/core/ksocket/agent-protocol';
import { type LabSite, openSite, whyNoLab } from '@yagura/fixtures/lab/namespaces';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAbilities } from '../src/discover/abilities.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runFromSource = fileURLToPath(new URL('../../tools/bundling/run-from-source.mjs', import.meta.url));
const reason = whyNoLab();
if (reason !== undefined) console.warn(`tests of a large link are skipped: ${reason}`);
const { arpScan, nmap } = findAbilities('auto');

describe.skipIf(reason !== undefined)('a link with 1,280 targets', { timeout: 240_000 }, () => {
  let site: LabSite;
  const addresses = Array.from(
    { length: 48 },
    (_, index) => `10.77.${16 + Math.floor(index / 10)}.${20 + index * 4}`,
  );

  beforeAll(() => {
    site = openSite({
      switches: {
        near: {
          members: { agent: '10.77.16.2/21', router: '10.77.16.1/21', hosts: `${addresses[0]}/21` },
        },
        far: { members: { router: '10.77.2.1/24', quiet: '10.77.2.10/24' } },
        // A part of the near network, behind the router.
        routed: { members: { router: '10.77.23.1/24', moved: '10.77.23.5/24' } },
      },
      routers: ['router'],
      routes: {
        agent: { default: '10.77.16.1', '10.77.23.0/24': '10.77.16.1' },
        hosts: { default: '10.77.16.1' },
        quiet: { default: '10.77.2.1' },
        moved: { default: '10.77.23.1' },
      },
    });
    const hosts = site.node('hosts');
    const [link] = (
      JSON.parse(hosts.run('ip', '-j', 'address', 'show', 'to', '10.77.16.0/21')) as { ifname: string }[]
    ).map(({ ifname }) => ifname);
    for (const address of addresses.slice(1))
      hosts.run('ip', 'address', 'add', `${address}/21`, 'dev', link!);
    // Answers to ping only: packets of TCP cannot leave.
    site.node('quiet').run('ip', 'rule', 'add', 'pref', '1', 'ipproto', 'tcp', 'blackhole');
  }, 120_000);
  afterAll(() => site?.close());

  /** `wrapper` is a command that runs the agent with fewer privileges. */
  async function scan(seeds: string[], settings: object, ...wrapper: string[]): Promise<ScannedHost[]> {
    const options = {
      allowed: ['10.77.0.0/16'],
      scan: { ports: [9], packetsPerSecond: 5000, ...settings },
      seeds,
    };
    const program = fileURLToPath(new URL('./lab/run-scan.ts', import.meta.url));
    const inside = [...wrapper, process.execPath, runFromSource, program, JSON.stringify(options)];
    const [command, args] = site.node('agent').inside(inside[0]!, ...inside.slice(1));
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    return (JSON.parse(output) as Extract<AgentMessage, { type: 'hosts' }>[]).flatMap(({ hosts }) => hosts);
  }
  const found = (hosts: ScannedHost[]) =>
    hosts.flatMap((host) => host.addresses.map(({ addr }) => addr)).sort();
  /** Five blocks; the addresses of the hosts are in all of them. */
  const large = ['10.77.16.0/22', '10.77.20.0/24'];
  /** Entries of the agent's neighbor table for addresses without a host; hosts come back by what they send. */
  const leftovers = () =>
    (JSON.parse(site.node('agent').run('ip', '-j', 'neighbor', 'show')) as { dst: string }[]).filter(
      ({ dst }) => !all.includes(dst),
    );
  const all = ['10.77.16.1', '10.77.16.2', ...addresses].sort();

  test('is found completely with the table emptied after each block', async () => {
    expect(found(await scan(large, {}))).toEqual(all);
    expect(leftovers()).toEqual([]);
  });

  test('is found completely without the right to empty the table', async () => {
    const withoutRight = ['setpriv', '--bounding-set', '-net_admin', '--'];
    expect(found(await scan(large, {}, ...withoutRight))).toEqual(all);
    expect(leftovers()).not.toEqual([]);
  });

  test('hosts of a part of the own network that a route leads to are found by their ports', async () => {
    expect(found(await scan(['10.77.23.4/30'], {}))).toEqual(['10.77.23.5']);
  });

  test.skipIf(arpScan === undefined)('is found completely by arp-scan', async () => {
    const hosts = await scan(large, { discover: 'auto' });
    expect(found(hosts)).toEqual(all);
    const macs = hosts.flatMap((host) => host.addresses.map(({ macaddr }) => macaddr));
    expect(macs).not.toContain(null);
  });

  test.skipIf(nmap === undefined)('hosts behind a router that answer to ping alone are found', async () => {
    expect(found(await scan(['10.77.2.8/29'], {}))).toEqual([]);
    const [host, ...others] = await scan(['10.77.2.8/29'], { discover: 'auto', forbidden: ['10.77.2.9'] });
    expect(others).toEqual([]);
    expect(found([host!])).toEqual(['10.77.2.10']);
    expect(host!.evidence).toContainEqual(expect.objectContaining({ group: 'addresses', source: 'icmp' }));
  });
});
