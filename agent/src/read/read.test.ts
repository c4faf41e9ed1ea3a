// Output in the formats of Debian 12, Alpine, Rocky Linux, FreeBSD and BusyBox.
import { describe, expect, test } from 'vitest';
import { parseCpuinfo, parseDmi, parseMeminfo, parseStorage } from './hardware.ts';
import { ownAddressesOf, parseIfconfig, parseIpAddress } from './interfaces.ts';
import { parseNetstat, parseSs } from './listening.ts';
import { parseApk, parseDpkg, parseRpm } from './packages.ts';
import { defaultGateways, parseIpRoute, parseNetstatRoutes, parseProcRoute } from './routes.ts';
import { readAssignments } from './text.ts';

describe('interfaces', () => {
  test('of ip -j address', () => {
    const text = JSON.stringify([
      {
        ifname: 'lo',
        operstate: 'UNKNOWN',
        address: '00:00:00:00:00:00',
        addr_info: [{ local: '127.0.0.1', prefixlen: 8 }],
      },
      {
        ifname: 'eth0',
        operstate: 'UP',
        address: '02:42:AC:11:00:02',
        addr_info: [{ local: '10.1.2.3', prefixlen: 20 }, { local: 'fe80::1', prefixlen: 64 }, {}],
      },
      { ifname: 'eth1', operstate: 'DOWN', address: '02:42:ac:11:00:03', addr_info: [] },
      {},
    ]);
    const found = parseIpAddress(text);
    const eth0 = { ifname: 'eth0', macaddr: '02:42:ac:11:00:02', linkState: 'up' };
    expect(found).toEqual([
      { ifname: 'lo', linkState: 'unknown', addr: '127.0.0.1', netmask: '255.0.0.0' },
      { ...eth0, addr: '10.1.2.3', netmask: '255.255.240.0' },
      { ...eth0, addr: 'fe80::1', netmask: '64' },
      { ifname: 'eth1', macaddr: '02:42:ac:11:00:03', linkState: 'down' },
    ]);
    expect(ownAddressesOf(found)).toEqual([{ addr: '10.1.2.3', subnet: '10.1.0.0/20' }]);
  });

  test('a temporary address of IPv6 is left out', () => {
    const addresses = [
      { local: '2001:db8::e699:2274:f271:93b0', prefixlen: 64, temporary: true, dynamic: true },
      { local: '2001:db8::5054:ff:fe77:11', prefixlen: 64, dynamic: true, mngtmpaddr: true },
    ];
    const text = JSON.stringify([{ ifname: 'eth0', addr_info: addresses }]);
    expect(parseIpAddress(text)).toEqual([
      { ifname: 'eth0', addr: '2001:db8::5054:ff:fe77:11', netmask: '64' },
    ]);
    expect(parseIpAddress(JSON.stringify([{ ifname: 'eth0', addr_info: [addresses[0]] }]))).toEqual([
      { ifname: 'eth0' },
    ]);
  });

  test.each([
    ['10.1.2.3', 33],
    ['10.1.2.3', -1],
    ['10.1.2.3', 24.5],
    ['fe80::1', 129],
  ])('an address whose prefix length cannot be has no mask: %s/%s', (local, prefixlen) => {
    const text = JSON.stringify([{ ifname: 'eth0', addr_info: [{ local, prefixlen }] }]);
    expect(parseIpAddress(text)).toEqual([{ ifname: 'eth0', addr: local }]);
  });

  test.each([
    [
      'net-tools',
      'eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\n        inet 10.0.0.5  netmask 255.255.255.0  broadcast 10.0.0.255\n        ether 52:54:00:12:34:56  txqueuelen 1000\n\nlo: flags=73<UP,LOOPBACK>  mtu 65536\n        inet 127.0.0.1  netmask 255.0.0.0\n',
    ],
    [
      'BusyBox',
      'eth0      Link encap:Ethernet  HWaddr 52:54:00:12:34:56\n          inet addr:10.0.0.5  Bcast:10.0.0.255  Mask:255.255.255.0\n          UP BROADCAST RUNNING MULTICAST  MTU:1500\n\nlo        Link encap:Local Loopback\n          inet addr:127.0.0.1  Mask:255.0.0.0\n          UP LOOPBACK RUNNING\n',
    ],
    [
      'FreeBSD',
      'eth0: flags=8863<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST> metric 0 mtu 1500\n\tether 52:54:00:12:34:56\n\tinet 10.0.0.5 netmask 0xffffff00 broadcast 10.0.0.255\n\tstatus: active\nlo: flags=8049<UP,LOOPBACK,RUNNING,MULTICAST> metric 0 mtu 16384\n\tinet 127.0.0.1 netmask 0xff000000\n',
    ],
  ])('of ifconfig: %s', (_, text) => {
    expect(parseIfconfig(text)).toEqual([
      {
        ifname: 'eth0',
        macaddr: '52:54:00:12:34:56',
        linkState: 'up',
        addr: '10.0.0.5',
        netmask: '255.255.255.0',
      },
      { ifname: 'lo', linkState: 'up', addr: '127.0.0.1', netmask: '255.0.0.0' },
    ]);
  });

  test.each(['', '/usr/sbin/ip\n', 'not json', '{}', '[1,null,"x"]', '[{"ifname":1}]'])(
    '%j has none',
    (text) => {
      expect(parseIpAddress(text)).toEqual([]);
      expect(parseIfconfig(text)).toEqual([]);
    },
  );
});

test('routes of ip -j route', () => {
  const text = JSON.stringify([
    { dst: 'default', gateway: '10.0.0.1', dev: 'eth0', protocol: 'dhcp', metric: 100 },
    { dst: '10.0.0.0/24', dev: 'eth0', protocol: 'kernel', prefsrc: '10.0.0.5' },
    { dst: '10.9.9.9', gateway: '10.0.0.7', dev: 'eth0' },
    { type: 'blackhole', dst: 'nonsense' },
  ]);
  expect(parseIpRoute(text)).toEqual([
    { destination: '0.0.0.0/0', gateway: '10.0.0.1', ifname: 'eth0', protocol: 'dhcp', metric: 100 },
    { destination: '10.0.0.0/24', ifname: 'eth0', protocol: 'kernel' },
    { destination: '10.9.9.9/32', gateway: '10.0.0.7', ifname: 'eth0' },
  ]);
});

test('routes of ip -j route with several next hops have a row for each', () => {
  const text = JSON.stringify([
    {
      ...{ dst: 'default', protocol: 'bgp', metric: 20, flags: [] },
      nexthops: [
        { gateway: '10.0.0.1', dev: 'eth0', weight: 1, flags: [] },
        { gateway: '10.0.1.1', dev: 'eth1', weight: 1, flags: [] },
        { via: { family: 'inet6', host: 'fe80::1' }, dev: 'eth2', weight: 1, flags: [] },
        null,
      ],
    },
  ]);
  const routes = parseIpRoute(text);
  const base = { destination: '0.0.0.0/0', metric: 20, protocol: 'bgp' };
  expect(routes).toEqual([
    { ...base, gateway: '10.0.0.1', ifname: 'eth0' },
    { ...base, gateway: '10.0.1.1', ifname: 'eth1' },
    { ...base, ifname: 'eth2' },
  ]);
  expect(defaultGateways(routes)).toEqual({
    defaultGateways: [
      { addr: '10.0.0.1', interface: 'eth0' },
      { addr: '10.0.1.1', interface: 'eth1' },
    ],
  });
});

describe('routes that drop packets are left out', () => {
  test.each(['blackhole', 'unreachable', 'prohibit', 'throw'])('of ip -j route: %s', (type) => {
    const text = JSON.stringify([{ type, dst: '10.9.0.0/16', flags: [] }]);
    expect(parseIpRoute(text)).toEqual([]);
  });

  test('of /proc/net/route', () => {
    const text =
      // Blackhole, then unreachable or prohibited.
      '*\t0000090A\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n' +
      '*\t00000A0A\t00000000\t0201\t0\t0\t0\t0000FFFF\t0\t0\t0\n';
    expect(parseProcRoute(text)).toEqual([]);
  });

  test('of netstat', () => {
    const text =
      'Destination        Gateway            Flags     Netif Expire\n' +
      '10.9.0.0/16        127.0.0.1          UGSB        lo0\n' +
      '10.10.0.0/16       127.0.0.1          UGRS        lo0\n' +
      '10.11.0.0/16       10.0.0.7           UGS         em0\n';
    expect(parseNetstatRoutes(text)).toEqual([
      { destination: '10.11.0.0/16', gateway: '10.0.0.7', ifname: 'em0' },
    ]);
  });
});

test('routes of /proc/net/route', () => {
  const text =
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n' +
    'eth0\t00000000\t0100000A\t0003\t0\t0\t202\t00000000\t0\t0\t0\n' +
    'eth0\t0000000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n' +
    'eth1\t0000000B\t00000000\t0000\t0\t0\t0\t00FFFFFF\t0\t0\t0\n';
  expect(parseProcRoute(text)).toEqual([
    { destination: '0.0.0.0/0', gateway: '10.0.0.1', ifname: 'eth0', metric: 202 },
    { destination: '10.0.0.0/24', ifname: 'eth0', metric: 0 },
  ]);
});

describe('listening ports', () => {
  test('of ss', () => {
    const text =
      'udp   UNCONN 0      0            127.0.0.1:323        0.0.0.0:*    users:(("chronyd",pid=7,fd=5))\n' +
      'udp   UNCONN 0      0      10.0.0.5%eth0:68         0.0.0.0:*\n' +
      'tcp   LISTEN 0      128            0.0.0.0:22        0.0.0.0:*    users:(("sshd",pid=1,fd=3),("sshd",pid=2,fd=3))\n' +
      'tcp   LISTEN 0      128               [::]:22           [::]:*\n' +
      'tcp   LISTEN 0      511                  *:80              *:*    users:(("my prog",pid=9,fd=1))\n' +
      'tcp   LISTEN 0      511                  *:80              *:*\n';
    expect(parseSs(text)).toEqual([
      { protocol: 'udp', address: '127.0.0.1', port: 323, process: 'chronyd' },
      { protocol: 'udp', address: '10.0.0.5', port: 68 },
      { protocol: 'tcp', address: '0.0.0.0', port: 22, process: 'sshd' },
      { protocol: 'tcp', address: '::', port: 22 },
      { protocol: 'tcp', address: '*', port: 80, process: 'my prog' },
    ]);
  });

  test('of netstat', () => {
    const text =
      'Active Internet connections (only servers)\n' +
      'Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name\n' +
      'tcp        0      0 0.0.0.0:22              0.0.0.0:*               LISTEN      812/sshd: /usr/sbin\n' +
      'tcp        0      0 10.0.0.5:22             10.0.0.9:5000           ESTABLISHED 900/sshd\n' +
      'tcp6       0      0 :::80                   :::*                    LISTEN      -\n' +
      'udp        0      0 0.0.0.0:68              0.0.0.0:*                           500/dhclient\n';
    expect(parseNetstat(text)).toEqual([
      { protocol: 'tcp', address: '0.0.0.0', port: 22, process: 'sshd: /usr/sbin' },
      { protocol: 'tcp', address: '::', port: 80 },
      { protocol: 'udp', address: '0.0.0.0', port: 68, process: 'dhclient' },
    ]);
  });

  test.each(['', '/usr/bin/ss', 'tcp LISTEN 0 0 nowhere *:*', 'raw UNCONN 0 0 *:1 *:*'])(
    '%j has none',
    (text) => {
      expect(parseSs(text)).toEqual([]);
      expect(parseNetstat(text)).toEqual([]);
    },
  );
});

describe('packages', () => {
  test('of dpkg: only installed ones', () => {
    const text =
      'ii \tlibc6\t2.36-9\tamd64\nrc \told\t1.0\tall\nhi \theld\t1:2~rc1\tall\nun \tnever\t\t\niU \thalf\t3\tall\n';
    expect(parseDpkg(text)).toEqual([
      { name: 'libc6', version: '2.36-9', arch: 'amd64' },
      { name: 'held', version: '1:2~rc1', arch: 'all' },
    ]);
  });

  test('of rpm, without keys', () => {
    const text =
      'bash\t5.1.8-9.el9\tx86_64\nvim\t2:8.2.2637-20.el9\tx86_64\ngpg-pubkey\t350d275d-6279464b\t(none)\nodd\t1-1\t(none)\n';
    expect(parseRpm(text)).toEqual([
      { name: 'bash', version: '5.1.8-9.el9', arch: 'x86_64' },
      { name: 'vim', version: '2:8.2.2637-20.el9', arch: 'x86_64' },
      { name: 'odd', version: '1-1', arch: '' },
    ]);
  });

  test('of apk', () => {
    expect(parseApk('P:musl\nV:1.2.4-r2\nA:x86_64\n\nP:busybox\nV:1.36.1-r5\nA:x86_64\n')).toEqual([
      { name: 'musl', version: '1.2.4-r2', arch: 'x86_64' },
      { name: 'busybox', version: '1.36.1-r5', arch: 'x86_64' },
    ]);
  });

  test('100,000 of them are cut to what the server takes', () => {
    const text = Array.from({ length: 100_000 }, (_, index) => `ii \tp${index}\t1\tall`).join('\n');
    expect(parseDpkg(text)).toHaveLength(10_000);
  });

  test('values with controls and of any length fit the fields', () => {
    const [found] = parseDpkg(`ii \tname\x1b[31m\t${'9'.repeat(1000)}\t\x00\n`);
    expect(found).toEqual({ name: 'name [31m', version: '9'.repeat(255), arch: '' });
  });
});

describe('hardware', () => {
  test('of DMI, without what vendors leave in place of a value', () => {
    const text =
      'sys_vendor\tDell Inc.\nproduct_name\tPowerEdge R640\nproduct_version\tNot Specified\nproduct_serial\tABC1234\nboard_vendor\tDell Inc.\nboard_name\t0H28RR\nboard_version\tA03\nboard_serial\t\nbios_vendor\tDell Inc.\nbios_version\t2.10.2\n';
    expect(parseDmi(text)).toEqual({
      bios: { vendorName: 'Dell Inc.', versionNumber: '2.10.2' },
      motherboard: { vendorName: 'Dell Inc.', modelNumber: '0H28RR', versionNumber: 'A03' },
      product: { vendorName: 'Dell Inc.', modelName: 'PowerEdge R640', serialNumber: 'ABC1234' },
      serial: 'ABC1234',
    });
    expect(parseDmi(undefined)).toEqual({});
  });

  test('of /proc/cpuinfo', () => {
    const cpu = (id: number, socket: number) =>
      `processor\t: ${id}\nmodel name\t: Xeon Gold\ncpu MHz\t\t: 2399.998\nphysical id\t: ${socket}\ncpu cores\t: 2\n`;
    expect(parseCpuinfo([cpu(0, 0), cpu(1, 0), cpu(2, 1), cpu(3, 1)].join(''))).toEqual({
      ...{ numberOfSockets: 2, numberOfCores: 4, numberOfProcessors: 4 },
      cpu0: { modelName: 'Xeon Gold', clockSpeed: 2400 },
      cpu1: { modelName: 'Xeon Gold', clockSpeed: 2400 },
    });
    // ARM tells neither model nor sockets.
    expect(parseCpuinfo('processor\t: 0\nprocessor\t: 1\n')).toEqual({
      ...{ numberOfSockets: 1, numberOfProcessors: 2 },
      cpu0: {},
    });
    expect(parseCpuinfo('')).toBeUndefined();
  });

  test('of memory and drives in KiB', () => {
    expect(parseMeminfo('MemTotal:       16384256 kB\n')).toEqual({ totalSize: 16_384_256 });
    expect(parseMeminfo('')).toBeUndefined();
    expect(parseStorage('sda\t1000\t0\nsr0\t2000\t1\nnvme0n1\t3000\t0\n')).toEqual({
      numberOfDrives: 2,
      totalSize: 2000,
    });
    expect(parseStorage('')).toBeUndefined();
  });
});

test('os-release with and without quotes', () => {
  const text =
    'NAME="Debian GNU/Linux"\nVERSION_ID=12\n# note\nID=\'debian\'\nPRETTY_NAME="a \\"b\\""\nnot a line\n';
  expect(Object.fromEntries(readAssignments(text))).toEqual({
    NAME: 'Debian GNU/Linux',
    VERSION_ID: '12',
    ID: 'debian',
    PRETTY_NAME: 'a "b"',
  });
});
