// A site of network namespaces with real daemons: what the server shows after a scan is compared with what each
// namespace says itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { whyNoSite } from '@yagura/fixtures/lab/site/lab-site';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Item } from '../../server/test/support/scan-site.ts';
import { type LabScan, openLabScan, within } from './lab/site-scan.ts';

const reason = whyNoSite();
// Not a failure in CI either: whether namespaces can be made depends on the machine, not on what is installed.
if (reason !== undefined) console.warn(`tests in network namespaces are skipped: ${reason}`);

describe.skipIf(reason !== undefined)('a site', { timeout: 120_000 }, () => {
  let lab: LabScan;
  beforeAll(async () => {
    lab = await openLabScan();
  }, 120_000);
  afterAll(() => lab?.close());

  const json = (name: string, ...args: string[]) =>
    JSON.parse(lab.site.node(name).run('ip', '-j', ...args)) as Record<string, unknown>[];
  const lines = (name: string, command: string, ...args: string[]) =>
    lab.site
      .node(name)
      .run(command, ...args)
      .trim()
      .split('\n');
  const macOf = (name: string) =>
    json(name, 'address', 'show').find(({ ifname }) => ifname !== 'lo')!.address as string;
  const idsOf = (nodes: Record<string, Item>) =>
    Object.fromEntries(Object.entries(nodes).map(([name, { managedNodeId }]) => [name, managedNodeId]));

  /** Packets of IP that a host has received. */
  const receivedBy = (name: string) =>
    Number(lines(name, 'grep', '^Ip:', '/proc/net/snmp')[1]!.split(' ')[3]);
  /** Addresses that a host has looked for on its links. */
  const lookedFor = (name: string) => json(name, 'neighbor', 'show').map(({ dst }) => dst as string);

  /** What must be the same after each scan of an unchanged site. */
  async function shapes() {
    const nodes = Object.entries(await lab.nodesByName());
    return Object.fromEntries(
      nodes.map(([name, { managedNodeId, displayName, extraFields, ...node }]) => {
        const { addresses, interfaces, routes, listening, neighbors, system } = node;
        return [
          name,
          { managedNodeId, displayName, addresses, interfaces, routes, listening, neighbors, system },
        ];
      }),
    );
  }

  let known: Record<string, Item>;
  test('is scanned twice without a difference, and forbidden networks receive nothing', async () => {
    const first = await lab.finish(await lab.order());
    known = await shapes();
    const second = await lab.finish(await lab.order());
    expect(await shapes()).toEqual(known);
    const { numberOfNodes, numberOfAddresses } = first;
    expect(second).toMatchObject({ numberOfNodes, numberOfAddresses, numberOfCreatedNodes: 0 });
    expect([receivedBy('forbidden'), receivedBy('locked')]).toEqual([0, 0]);
    expect(lookedFor('agent')).not.toContain('10.77.1.66');
    expect(lookedFor('r3').filter((address) => address.startsWith('10.77.3.'))).toEqual([]);
  });

  test.each(['web', 'dns', 'clone1', 'distant', 'noping'])('%s has the facts that it has', async (name) => {
    const node = (await lab.nodesByName())[name]!;
    const interfaces = json(name, 'address', 'show').flatMap(({ ifname, address, addr_info }) =>
      (addr_info as { local: string }[]).map(
        ({ local }) => `${ifname} ${local} ${ifname === 'lo' ? undefined : address}`,
      ),
    );
    expect(
      (node.interfaces as Item[]).map(({ ifname, addr, macaddr }) => `${ifname} ${addr} ${macaddr}`),
    ).toEqual(interfaces);
    const routes = json(name, '-4', 'route', 'show').map(
      ({ dst, gateway, dev }) => `${dst === 'default' ? '0.0.0.0/0' : dst} ${gateway} ${dev}`,
    );
    expect(
      (node.routes as Item[]).map(
        ({ destination, gateway, ifname }) => `${destination} ${gateway} ${ifname}`,
      ),
    ).toEqual(routes);
    const listening = lines(name, 'ss', '-H', '-l', '-n', '-t', '-u').map((line) => {
      const [protocol, , , , local] = line.split(/\s+/);
      return `${protocol} ${local!.replace(/[[\]]/g, '').replace(/^\*:/, ':::')}`;
    });
    expect(
      (node.listening as Item[])
        .map(({ protocol, address, port }) => `${protocol} ${address}:${port}`)
        .sort(),
    ).toEqual(listening.sort());
    const [release, version] = [lines(name, 'uname', '-r')[0], lines(name, 'uname', '-v')[0]];
    const memory = Number(/\d+/.exec(lines(name, 'grep', '^MemTotal:', '/proc/meminfo')[0]!)![0]);
    expect(node.extraFields).toMatchObject({
      kernel: { name: 'Linux', release, version },
      memory: { totalSize: memory },
    });
    const format = `\${db:Status-Abbrev}\\t\${Package} \${Version} \${Architecture}\\n`;
    const installed = lines(name, 'dpkg-query', '-W', '-f', format)
      .filter((line) => line[1] === 'i')
      .map((line) => line.split('\t')[1]);
    const packages = await lab.list(`${lab.scanSite.path}/managed-nodes/${node.managedNodeId}/packages`);
    expect(packages.map((one) => `${one.name} ${one.version} ${one.arch}`).sort()).toEqual(installed.sort());
    // The name comes from the site's name server.
    expect(node.displayName).toBe(`${name}.lab.example`);
  });

  test('its silent host is known by its hardware address, and clones are two nodes', async () => {
    const nodes = await lab.nodesByName();
    const addressesOf = (name: string) =>
      (nodes[name]!.addresses as Item[]).map(({ addr, macaddr }) => `${addr} ${macaddr}`);
    for (const name of ['silent', 'clone1', 'clone2'])
      expect(addressesOf(name)).toEqual([`${lab.site.addresses[name]![0]} ${macOf(name)}`]);
    const files = ['clone1', 'clone2'].map((name) => lines(name, 'cat', '/etc/machine-id'));
    expect(files[0]).toEqual(files[1]);
    expect(nodes.clone1!.managedNodeId).not.toBe(nodes.clone2!.managedNodeId);
  });

  test('a scan goes on after the agent was killed, the link was cut and the server was restarted', async () => {
    // Without entries from before, the silent host needs no confirmation of ten seconds.
    lab.site.node('agent').run('ip', 'neighbor', 'flush', 'all');
    const snapshotId = await lab.order();
    const progress = () => lab.scanSite.snapshot(snapshotId);
    await expect.poll(progress, within).toMatchObject({ status: 'started' });
    await lab.agent.kill();
    lab.agent.start();
    await expect.poll(() => lab.link.connections(), within).toBeGreaterThan(0);
    lab.link.cut();
    await lab.server.restart();
    await lab.finish(snapshotId);
    expect(await shapes()).toEqual(known);
  });

  test('hosts whose addresses were exchanged stay the nodes that they are', async () => {
    const before = idsOf(await lab.nodesByName());
    lab.site.swapAddresses('swap1', 'swap2');
    await lab.finish(await lab.order());
    const nodes = await lab.nodesByName();
    expect(idsOf(nodes)).toEqual({ ...before, swap1: before.swap2, swap2: before.swap1 });
    // Names by address: `swap1` is now the machine that was `swap2`.
    for (const [address, machine] of [
      ['swap1', 'swap2'],
      ['swap2', 'swap1'],
    ] as const)
      expect(nodes[address]!.addresses).toMatchObject([
        { addr: lab.site.addresses[address]![0], macaddr: macOf(machine), services: [{ port: 22 }] },
      ]);
  });
});

test('programs of the lab refuse to run outside of it', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const guard = fileURLToPath(new URL('../../fixtures/src/lab/site/require-lab.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', guard], { cwd: root, stdio: 'ignore' });
  expect(await once(child, 'close')).toEqual([1, null]);
});
