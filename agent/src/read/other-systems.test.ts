// Samples of the BSDs and macOS, written from the documentation of their tools, not recorded on such systems.
import { describe, expect, test } from 'vitest';
import { toHostPart } from '../collect/ssh/ssh-host-part.ts';
import { footprintOf } from './footprint.ts';
import { parseIpText } from './interfaces.ts';
import { parseBsdNetstat, parseLsof, parseSockstat, withProcesses } from './listening.ts';
import { parseSysctl } from './other-hardware.ts';
import { parsePkgInfo } from './packages.ts';
import { parseNetstatRoutes } from './routes.ts';

const hostUuid = '4c4c4544-0042-3010-8052-b4c04f4d3732';

const freeBsd: Record<string, string> = {
  uname: 'FreeBSD\n14.0-RELEASE\nFreeBSD 14.0-RELEASE #0 releng/14.0-n265380: GENERIC\nbsd1\n',
  'os-release': 'NAME=FreeBSD\nVERSION="14.0-RELEASE"\nVERSION_ID="14.0"\nID=freebsd\n',
  ifconfig:
    'em0: flags=1008843<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST,LOWER_UP> metric 0 mtu 1500\n\toptions=4e504bb<RXCSUM,TXCSUM>\n\tether 52:54:00:aa:bb:01\n\tinet 192.0.2.10 netmask 0xffffff00 broadcast 192.0.2.255\n\tmedia: Ethernet autoselect (1000baseT <full-duplex>)\n\tstatus: active\nlo0: flags=1008049<UP,LOOPBACK,RUNNING,MULTICAST,LOWER_UP> metric 0 mtu 16384\n\tinet 127.0.0.1 netmask 0xff000000\n\tgroups: lo\n',
  'netstat-routes':
    'Routing tables\n\nInternet:\nDestination        Gateway            Flags     Netif Expire\ndefault            192.0.2.1          UGS         em0\n127.0.0.1          link#2             UH          lo0\n192.0.2.0/24       link#1             U           em0\n192.0.2.10         link#2             UHS         lo0\n198.51.100.0/25    192.0.2.7          UG1         em0\n',
  sockstat:
    'USER     COMMAND    PID   FD  PROTO  LOCAL ADDRESS         FOREIGN ADDRESS\nroot     sshd         812 3   tcp6   *:22                  *:*\nroot     sshd         812 4   tcp4   *:22                  *:*\nroot     my daemon    900 9   udp4   127.0.0.1:123         *:*\n?        ?          ?     ?   tcp4   192.0.2.10:2049       *:*\n',
  pkg: 'bash\t5.2.21\tFreeBSD:14:amd64\nca_root_nss\t3.93\tFreeBSD:14:*\n',
  kenv: 'smbios.bios.vendor="Dell Inc."\nsmbios.bios.version="2.10.2"\nsmbios.planar.maker="Dell Inc."\nsmbios.planar.product="0H28RR"\nsmbios.system.maker="Dell Inc."\nsmbios.system.product="PowerEdge R640"\nsmbios.system.serial="ABC1234"\nsmbios.system.version="Not Specified"\n',
  sysctl: `hw.model\tIntel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz\nhw.ncpu\t8\nkern.smp.cores\t4\nhw.clockrate\t2100\nhw.realmem\t17179869184\nhw.physmem\t17018351616\nkern.disks\tada0 cd0\nkern.hostuuid\t${hostUuid}\n`,
  geom: 'Geom name: ada0\nProviders:\n1. Name: ada0\n   Mediasize: 500107862016 (466G)\n   Sectorsize: 512\n\nGeom name: cd0\nProviders:\n1. Name: cd0\n   Mediasize: 1000000 (977K)\n',
};

test('a FreeBSD host', () => {
  const { fields, groups, identities, ownAddresses } = toHostPart(
    new Map(Object.entries(freeBsd)),
    'SHA256:k',
  );
  expect(groups).toEqual(['interfaces', 'routes', 'listening', 'packages', 'system']);
  expect(fields).toMatchObject({
    system: { family: 'FreeBSD', version: '14.0-RELEASE', serial: 'ABC1234' },
    interfaces: [
      { ifname: 'em0', macaddr: '52:54:00:aa:bb:01', addr: '192.0.2.10', netmask: '255.255.255.0' },
      { ifname: 'lo0', addr: '127.0.0.1' },
    ],
    routes: [
      { destination: '0.0.0.0/0', gateway: '192.0.2.1', ifname: 'em0' },
      { destination: '127.0.0.1/32', ifname: 'lo0' },
      { destination: '192.0.2.0/24', ifname: 'em0' },
      { destination: '192.0.2.10/32', ifname: 'lo0' },
      { destination: '198.51.100.0/25', gateway: '192.0.2.7', ifname: 'em0' },
    ],
    listening: [
      { protocol: 'tcp', address: '*', port: 22, process: 'sshd' },
      { protocol: 'udp', address: '127.0.0.1', port: 123, process: 'my daemon' },
      { protocol: 'tcp', address: '192.0.2.10', port: 2049 },
    ],
    packages: [
      { name: 'bash', version: '5.2.21', arch: 'amd64' },
      { name: 'ca_root_nss', version: '3.93', arch: '*' },
    ],
    extraFields: {
      kernel: { name: 'FreeBSD', release: '14.0-RELEASE' },
      bios: { vendorName: 'Dell Inc.', versionNumber: '2.10.2' },
      motherboard: { vendorName: 'Dell Inc.', modelNumber: '0H28RR' },
      product: { vendorName: 'Dell Inc.', modelName: 'PowerEdge R640', serialNumber: 'ABC1234' },
      cpu: {
        ...{ numberOfProcessors: 8, numberOfCores: 4 },
        cpu0: { modelName: 'Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz', clockSpeed: 2100 },
      },
      memory: { totalSize: 16_777_216 },
      storage: { numberOfDrives: 1, totalSize: 488_386_584 },
      networking: { defaultGateways: [{ addr: '192.0.2.1', interface: 'em0' }] },
    },
  });
  expect(fields.signatures?.footprint).toBe(footprintOf(hostUuid));
  expect(JSON.stringify(fields)).not.toContain(hostUuid);
  expect(identities).toEqual(['key:SHA256:k', `id:${footprintOf(hostUuid)}`, 'mac:52:54:00:aa:bb:01']);
  expect(ownAddresses).toEqual([{ addr: '192.0.2.10', subnet: '192.0.2.0/24' }]);
});

test('an OpenBSD host', () => {
  const { fields } = toHostPart(
    new Map(
      Object.entries({
        uname: 'OpenBSD\n7.4\nGENERIC.MP#1397\nfw1\n',
        ifconfig:
          'lo0: flags=2008049<UP,LOOPBACK,RUNNING,MULTICAST,LRO> mtu 32768\n\tindex 4 priority 0 llprio 3\n\tinet 127.0.0.1 netmask 0xff000000\nem0: flags=808843<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST,AUTOCONF4> mtu 1500\n\tlladdr 52:54:00:aa:bb:02\n\tindex 1 priority 0 llprio 3\n\tinet 192.0.2.11 netmask 0xffffff00 broadcast 192.0.2.255\n',
        'netstat-routes':
          'Routing tables\n\nInternet:\nDestination        Gateway            Flags   Refs      Use   Mtu  Prio Iface\ndefault            192.0.2.1          UGS        4       27     -     8 em0  \n192.0.2/24         192.0.2.11         UCn        1        0     -     4 em0  \n192.0.2.1          52:54:00:00:00:01  UHLch      2       23     -     3 em0  \n192.0.2.11         52:54:00:aa:bb:02  UHLl       0       12     -     1 em0  \n192.0.2.255        192.0.2.11         UHb        0        0     -     1 em0  \n',
        'netstat-sockets':
          'Active Internet connections (including servers)\nProto   Recv-Q Send-Q  Local Address          Foreign Address        (state)\ntcp          0      0  192.0.2.11.22          192.0.2.2.50000        ESTABLISHED\ntcp          0      0  *.22                   *.*                    LISTEN\nudp          0      0  *.514                  *.*                   \nudp          0      0  192.0.2.11.3000        192.0.2.3.123         \n',
        'pkg-info':
          "bash-5.2.21         GNU Project's Bourne Again SHell\nintel-firmware-20230808p0v0 microcode update binaries\n",
        sysctl:
          'hw.model\tIntel(R) Core(TM) i5\nhw.ncpu\t4\nhw.ncpuonline\t2\nhw.cpuspeed\t2400\nhw.physmem\t4278190080\nhw.disknames\tsd0:0123456789abcdef,cd0:,rd0:fedcba9876543210\nhw.vendor\tLENOVO\nhw.product\t20ABCD\nhw.version\tThinkPad X\nhw.serialno\tPF12345\n',
      }),
    ),
    'SHA256:k',
  );
  expect(fields).toMatchObject({
    system: { family: 'OpenBSD', version: '7.4', serial: 'PF12345' },
    routes: [
      { destination: '0.0.0.0/0', gateway: '192.0.2.1', ifname: 'em0' },
      { destination: '192.0.2.0/24', ifname: 'em0' },
    ],
    listening: [
      { protocol: 'tcp', address: '*', port: 22 },
      { protocol: 'udp', address: '*', port: 514 },
    ],
    packages: [
      { name: 'bash', version: '5.2.21' },
      { name: 'intel-firmware', version: '20230808p0v0' },
    ],
    extraFields: {
      cpu: { numberOfProcessors: 2, cpu0: { clockSpeed: 2400 } },
      storage: { numberOfDrives: 1 },
      product: { vendorName: 'LENOVO', modelName: '20ABCD', versionNumber: 'ThinkPad X' },
    },
  });
  expect(fields.routes).toHaveLength(2);
  expect(fields.interfaces?.find(({ ifname }) => ifname === 'em0')).toMatchObject({
    macaddr: '52:54:00:aa:bb:02',
    addr: '192.0.2.11',
  });
});

test('a macOS host', () => {
  const { fields } = toHostPart(
    new Map(
      Object.entries({
        uname: 'Darwin\n23.4.0\nDarwin Kernel Version 23.4.0\nmac1.local\n',
        'sw-vers': 'ProductName:\t\tmacOS\nProductVersion:\t\t14.4.1\nBuildVersion:\t\t23E224\n',
        ifconfig:
          'lo0: flags=8049<UP,LOOPBACK,RUNNING,MULTICAST> mtu 16384\n\tinet 127.0.0.1 netmask 0xff000000\nen0: flags=8863<UP,BROADCAST,SMART,RUNNING,SIMPLEX,MULTICAST> mtu 1500\n\toptions=6463<RXCSUM,TXCSUM,TSO4,TSO6>\n\tether 52:54:00:aa:bb:03\n\tinet 192.0.2.12 netmask 0xffffff00 broadcast 192.0.2.255\n\tstatus: active\n',
        'netstat-routes':
          'Routing tables\n\nInternet:\nDestination        Gateway            Flags               Netif Expire\ndefault            192.0.2.1          UGScg                 en0       \n127                127.0.0.1          UCS                   lo0       \n127.0.0.1          127.0.0.1          UH                    lo0       \n169.254            link#11            UCS                   en0      !\n192.0.2            link#11            UCS                   en0      !\n192.0.2.1          52:54:0:0:0:1      UHLWIir               en0   1189\n',
        'netstat-sockets':
          'Active Internet connections (including servers)\nProto Recv-Q Send-Q  Local Address          Foreign Address        (state)    \ntcp4       0      0  *.5000                 *.*                    LISTEN     \ntcp6       0      0  *.22                   *.*                    LISTEN     \nudp4       0      0  *.5353                 *.*                               \n',
        lsof: 'p500\ncControlCenter\nf9\nPTCP\nn*:5000\np700\ncrapportd\nf3\nPTCP\nn192.0.2.12:49152->192.0.2.1:443\n',
        applications: 'Safari.app\t17.4.1\nVisual Studio Code.app\t1.88.0\nOdd.app\t\n',
        ioreg: `+-o J314sAP  <class IOPlatformExpertDevice>\n    {\n      "IOPlatformSerialNumber" = "C02XK0AAJG5H"\n      "IOPlatformUUID" = "${hostUuid.toUpperCase()}"\n      "manufacturer" = <"Apple Inc.">\n      "model" = <"MacBookPro18,3">\n    }\n`,
        'system-profiler':
          'Hardware:\n\n    Hardware Overview:\n\n      Model Name: MacBook Pro\n      Model Identifier: MacBookPro18,3\n      Chip: Apple M1 Pro\n      Memory: 16 GB\n      System Firmware Version: 10151.101.3\n',
        'system-profiler-storage':
          'NVMExpress:\n\n    Apple SSD Controller:\n\n        APPLE SSD AP0512R:\n\n          Capacity: 500.28 GB (500,277,792,768 bytes)\n',
        sysctl:
          'hw.model\tMacBookPro18,3\nhw.ncpu\t8\nhw.physicalcpu\t8\nhw.logicalcpu\t8\nhw.packages\t1\nmachdep.cpu.brand_string\tApple M1 Pro\nhw.memsize\t17179869184\n',
      }),
    ),
    'SHA256:k',
  );
  expect(fields).toMatchObject({
    system: { family: 'macOS', version: '14.4.1 (23E224)', serial: 'C02XK0AAJG5H' },
    signatures: { footprint: footprintOf(hostUuid) },
    packages: [
      { name: 'Safari', version: '17.4.1' },
      { name: 'Visual Studio Code', version: '1.88.0' },
      { name: 'Odd', version: '' },
    ],
    listening: [
      { protocol: 'tcp', address: '*', port: 5000, process: 'ControlCenter' },
      { protocol: 'tcp', address: '*', port: 22 },
      { protocol: 'udp', address: '*', port: 5353 },
    ],
    extraFields: {
      bios: { versionNumber: '10151.101.3' },
      product: { vendorName: 'Apple Inc.', modelName: 'MacBook Pro', modelNumber: 'MacBookPro18,3' },
      cpu: { numberOfSockets: 1, numberOfCores: 8, cpu0: { modelName: 'Apple M1 Pro' } },
      memory: { totalSize: 16_777_216 },
      storage: { numberOfDrives: 1, totalSize: 488_552_532 },
    },
  });
  expect(fields.routes?.map(({ destination }) => destination)).toEqual([
    ...['0.0.0.0/0', '127.0.0.0/8', '127.0.0.1/32', '169.254.0.0/16', '192.0.2.0/24'],
  ]);
});

test('ip without JSON', () => {
  const text =
    '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN mode DEFAULT \\    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n' +
    '2: eth0@if7: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc pfifo state UP mode DEFAULT \\    link/ether 52:54:00:aa:bb:04 brd ff:ff:ff:ff:ff:ff\n' +
    '3: eth1: <BROADCAST,MULTICAST> mtu 1500 qdisc noop state DOWN \\    link/ether 52:54:00:aa:bb:05 brd ff:ff:ff:ff:ff:ff\n' +
    '1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever\n' +
    '2: eth0    inet 192.0.2.13/24 brd 192.0.2.255 scope global eth0\\       valid_lft forever\n' +
    '2: eth0    inet6 2001:db8::93b0/64 scope global temporary dynamic \\       valid_lft 598sec\n' +
    '2: eth0    inet6 fe80::1/64 scope link \\       valid_lft forever\n';
  const eth0 = { ifname: 'eth0', macaddr: '52:54:00:aa:bb:04', linkState: 'up' };
  expect(parseIpText(text)).toEqual([
    { ifname: 'lo', linkState: 'unknown', addr: '127.0.0.1', netmask: '255.0.0.0' },
    { ...eth0, addr: '192.0.2.13', netmask: '255.255.255.0' },
    { ...eth0, addr: 'fe80::1', netmask: '64' },
    { ifname: 'eth1', macaddr: '52:54:00:aa:bb:05', linkState: 'down' },
  ]);
});

describe('hostile output', () => {
  const samples = [
    'x'.repeat(200_000),
    ` ${'a '.repeat(50_000)}`,
    `${'1.'.repeat(50_000)}\n`,
    `tcp4 0 0 *.99999 *.* LISTEN\nDestination Gateway Flags Netif\n999.1/40 x U em0\n1.2.3.4.5 x U em0\n/ x U em0\n`,
    'p\nc\nPTCP\nn*:abc\nn\n',
  ];
  test.each(samples.map((text) => [text.slice(0, 40), text]))('%j', (_, text) => {
    expect(parseNetstatRoutes(text)).toEqual([]);
    expect(parseBsdNetstat(text)).toEqual([]);
    expect(parseSockstat(text)).toEqual([]);
    expect(parseLsof(text)).toEqual([]);
    expect(parseIpText(text)).toEqual([]);
    expect(parsePkgInfo(text)).toEqual([]);
    expect([...parseSysctl(text)]).toEqual([]);
  });

  test('sections of other systems say nothing', () => {
    const all = new Map(Object.keys(freeBsd).map((name) => [name, 'sh: not found\n\tx\ty\n']));
    const { groups } = toHostPart(all, '');
    expect(groups).toEqual(['system']);
  });
});

test('ids that vendors leave in place of one are none', () => {
  expect(footprintOf('03000200-0400-0500-0006-000700080009')).toBeUndefined();
  expect(footprintOf('00000000-0000-0000-0000-000000000000')).toBeUndefined();
  expect(footprintOf('FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF')).toBeUndefined();
  expect(footprintOf('none')).toBeUndefined();
  expect(footprintOf(hostUuid)).toBe(footprintOf(hostUuid.toUpperCase()));
});

test('processes are added where a list does not name them', () => {
  const port = { protocol: 'tcp', address: '*', port: 22 } as const;
  expect(withProcesses([port], [{ ...port, address: '::', process: 'sshd' }])).toEqual([
    { ...port, process: 'sshd' },
  ]);
});
