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
    // The beginning of the site itself may have reached them.
    const received = () => ['forbidden', 'locked'].map(receivedBy);
    const before = received();
    const first = await lab.finish(await lab.order());
    known = await shapes();
    const second = await lab.finish(await lab.order());
    expect(await shapes()).toEqual(known);
    const { numberOfNodes, numberOfAddresses } = first;
    expect(second).toMatchObject({ numberOfNodes, numberOfAddresses, numberOfCreatedNodes: 0 });
    expect(received()).toEqual(before);
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

  test.each(['r1', 'r2', 'r3', 'sw1', 'sw2'])('%s, read by SNMP, has the facts that it has', async (name) => {
    const node = (await lab.nodesByName())[name]!;
    const links = json(name, 'address', 'show') as { ifname: string; addr_info: { local: string }[] }[];
    const expected = links.flatMap(({ ifname, addr_info }) =>
      addr_info.length > 0 ? addr_info.map(({ local }) => `${ifname} ${local}`) : [`${ifname} undefined`],
    );
    const interfaces = (node.interfaces as Item[]).map(({ ifname, addr }) => `${ifname} ${addr}`);
    expect(interfaces.sort()).toEqual(expected.sort());
    const routes = json(name, '-4', 'route', 'show').map(({ dst }) =>
      dst === 'default' ? '0.0.0.0/0' : String(dst),
    );
    expect((node.routes as Item[]).map(({ destination }) => destination).sort()).toEqual(routes.sort());
  });

  test('its layer 2 drawing is its cabling', async () => {
    const { nodes, links } = (await lab.layer2()) as { nodes: Item[]; links: Item[] };
    const named = Object.entries(await lab.nodesByName());
    const nameOf = (elementId: unknown) => {
      const element = nodes.find((one) => one.elementId === elementId);
      return named.find(([, { managedNodeId }]) => managedNodeId === element?.managedNodeId)?.[0];
    };
    /** `*` for an end that no switch can know: the interface of a host that announces nothing. */
    const written = (ends: { node: unknown; ifname: unknown }[], evidence: unknown) =>
      `${ends
        .map(({ node, ifname }) => `${node} ${ifname ?? '*'}`)
        .sort()
        .join(' - ')}, ${evidence}`;
    const drawn = links.map(({ from, to, fromIfname, toIfname, evidence }) =>
      written(
        [
          { node: nameOf(from), ifname: fromIfname },
          { node: nameOf(to), ifname: toIfname },
        ],
        evidence,
      ),
    );
    const announces = ['sw1', 'sw2', 'r1', 'r2', 'r3'];
    const forbidden = ['forbidden', 'locked'];
    const cabling = lab.site.cables
      .filter((ends) => !ends.some(({ node }) => forbidden.includes(node)))
      .map(([port, end]) =>
        announces.includes(end.node)
          ? written([port, end], 'confirmed')
          : written([port, { ...end, ifname: undefined }], 'inferred'),
      );
    expect(drawn.sort()).toEqual(cabling.sort());
  });

  test('what was refused is told with its reason', async () => {
    const [last] = await lab.list(`${lab.scanSite.path}/snapshots`);
    const refusals = await lab.list(`${lab.scanSite.path}/snapshots/${last!.snapshotId}/refusals`);
    const nameOf = (addr: unknown) =>
      Object.keys(lab.site.addresses).find((name) => lab.site.addresses[name]!.includes(String(addr)));
    const told = refusals.map(
      ({ addr, credential, errorCode }) => `${nameOf(addr)} ${credential} ${errorCode}`,
    );
    expect([...new Set(told)].sort()).toEqual([
      'guarded snmp/community.toml SNMP_SILENT',
      'guarded snmp/user.toml SNMP_USER_UNKNOWN',
      'noping ssh/by-password.toml SIGN_IN_FAILED',
      'r3 snmp/community.toml SNMP_SILENT',
      'silent snmp/community.toml SNMP_SILENT',
      'silent snmp/user.toml SNMP_SILENT',
      'web ssh/by-password.toml SIGN_IN_FAILED',
    ]);
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
    const { numberOfCreatedNodes } = await lab.finish(snapshotId);
    expect(numberOfCreatedNodes).toBe(0);
    expect(idsOf(await lab.nodesByName())).toEqual(idsOf(known));
  });

  test('hosts whose addresses were exchanged stay the nodes that they are', async () => {
    const before = idsOf(await lab.nodesByName());
    lab.site.swapAddresses('swap1', 'swap2');
    await lab.finish(await lab.order());
    const nodes = await lab.nodesByName();
    expect(idsOf(nodes)).toEqual({ ...before, swap1: before.swap2, swap2: before.swap1 });
    // Their keys are not the stored ones, so what was read on them before stays, but not their former addresses.
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
