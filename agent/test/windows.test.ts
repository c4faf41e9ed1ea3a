// Windows hosts: a stub answers in the documented form. Nothing here was tried on Windows.
import { afterEach, describe, expect, test } from 'vitest';
import { createHostReader } from '../src/collect/read-host.ts';
import { runWsmanScript, wsmanLimits } from '../src/collect/windows/wsman-session.ts';
import { footprintOf } from '../src/read/footprint.ts';
import { parseWindowsPackages, parseWindowsRoutes } from '../src/read/windows.ts';
import { KnownHosts } from '../src/state/known-hosts.ts';
import { makeStateFolder } from './agent-under-test.ts';
import { startSshHost } from './ssh-host.ts';
import { testCredential } from './test-credential.ts';
import { machineGuid, startWsmanHost, windowsShell } from './windows-host.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const never = new AbortController().signal;

function read(protocol: 'ssh' | 'winrm', port: number, password: string, hostKeys?: KnownHosts) {
  const credential = { ...testCredential(`${protocol}/win.toml`, port, password), protocol };
  const readHost = createHostReader({
    ...{ credentials: [credential], lookup: async () => [], now: () => 0, hostKeys, sshPort: 1 },
  });
  const context = { signal: never, admit: async () => undefined, failures: {} };
  return readHost({ address: '127.0.0.1', ports: [port], at: 0 }, context);
}

const expectedHost = {
  system: {
    ...{ family: 'Microsoft Windows Server 2022 Standard', version: '10.0.20348', serial: 'CZJ1234567' },
  },
  signatures: { footprint: footprintOf(machineGuid) },
  interfaces: [
    {
      ...{ ifname: 'イーサネット', macaddr: '52:54:00:aa:bb:10', linkState: 'up' },
      ...{ addr: '192.0.2.20', netmask: '255.255.255.0' },
    },
    {
      ...{ ifname: 'イーサネット', macaddr: '52:54:00:aa:bb:10', linkState: 'up' },
      ...{ addr: 'fe80::1', netmask: '64' },
    },
    { ifname: 'Ethernet 2', macaddr: '52:54:00:aa:bb:11', linkState: 'down' },
  ],
  routes: [
    {
      ...{ destination: '0.0.0.0/0', gateway: '192.0.2.1', ifname: 'イーサネット' },
      ...{ metric: 25, protocol: 'static' },
    },
    { destination: '192.0.2.0/24', ifname: 'イーサネット', metric: 281, protocol: 'local' },
  ],
  listening: [
    { protocol: 'tcp', address: '::', port: 5986, process: 'System' },
    { protocol: 'tcp', address: '0.0.0.0', port: 22, process: 'sshd' },
    { protocol: 'udp', address: 'fe80::1', port: 123 },
  ],
  packages: [
    { name: '7-Zip 23.01 (x64)', version: '23.01', arch: '' },
    { name: 'Old Tool', version: '', arch: 'x86' },
  ],
  windowsUpdates: [
    { hotfixId: 'KB5034129', description: 'Security Update', installedAt: '2024-01-10T00:00:00.000Z' },
    { hotfixId: 'KB5000001', description: 'Update', installedAt: expect.stringMatching(/^2019-03-/) },
    { hotfixId: 'KB5000002' },
  ],
  extraFields: {
    kernel: { name: 'Windows NT', release: '10.0.20348' },
    bios: { vendorName: 'HPE', versionNumber: 'U32' },
    motherboard: { vendorName: 'HPE', modelNumber: 'ProLiant DL360 Gen10', serialNumber: 'PB1' },
    product: { vendorName: 'HPE', modelName: 'ProLiant DL360 Gen10', serialNumber: 'CZJ1234567' },
    cpu: {
      ...{ numberOfSockets: 2, numberOfCores: 20, numberOfProcessors: 40 },
      ...{ cpu0: { modelName: 'Intel(R) Xeon(R) Silver 4210', clockSpeed: 2195 } },
    },
    memory: { totalSize: 33_424_852 },
    storage: { numberOfDrives: 1, totalSize: 468_848_993 },
    networking: { defaultGateways: [{ addr: '192.0.2.1', interface: 'イーサネット' }] },
  },
};

test('by ssh, where PowerShell answers in place of sh', async () => {
  const host = await startSshHost({ shell: windowsShell });
  cleanups.push(() => host.close());
  const found = await read('ssh', host.port, 'right');
  expect(found.refusals).toEqual([]);
  expect(found.host).toMatchObject({
    ...expectedHost,
    signatures: { sshHostKey: host.hostKey, footprint: footprintOf(machineGuid) },
  });
  expect(found.host.evidence).toContainEqual(
    expect.objectContaining({ group: 'windowsUpdates', source: 'ssh', credential: 'ssh/win.toml' }),
  );
  expect(host.attempts).toHaveLength(1);
  expect(JSON.stringify(found)).not.toContain(machineGuid);
});

describe('by WS-Management', () => {
  const start = async (options: Parameters<typeof startWsmanHost>[0] = {}) => {
    const host = await startWsmanHost(options);
    cleanups.push(() => host.close());
    return host;
  };

  test('over https with Basic authentication', async () => {
    const host = await start();
    const found = await read('winrm', host.port, 'right-password');
    expect(found.refusals).toEqual([]);
    expect(found.host).toMatchObject(expectedHost);
    expect(found.host.evidence).toContainEqual(
      expect.objectContaining({ group: 'system', source: 'winrm', credential: 'winrm/win.toml' }),
    );
    expect(host.actions).toEqual(['Create', 'Command', 'Send', 'Receive', 'Receive', 'Receive', 'Delete']);
    // The first request asks for the methods without an account.
    expect(host.authorizations.map(Boolean)).toEqual([false, ...host.actions.map(() => true)]);
  });

  test('a wrong password is one attempt', async () => {
    const host = await start();
    const found = await read('winrm', host.port, 'wrong');
    expect(found.refusals).toEqual([
      { addr: '127.0.0.1', protocol: 'winrm', code: 'SIGN_IN_FAILED', credential: 'winrm/win.toml' },
    ]);
    expect(host.authorizations).toHaveLength(2);
  });

  test('no password is sent where it is of no use', async () => {
    const host = await start({ methods: 'Negotiate' });
    const found = await read('winrm', host.port, 'right-password');
    expect(found.refusals).toMatchObject([{ code: 'SIGN_IN_METHOD_UNSUPPORTED' }]);
    expect(host.authorizations).toEqual([undefined]);
  });

  test('nothing is sent to a host whose certificate has changed', async () => {
    const stateFolder = makeStateFolder();
    cleanups.push(() => stateFolder.remove());
    const hostKeys = new KnownHosts(stateFolder.path);
    const first = await startWsmanHost();
    expect((await read('winrm', first.port, 'right-password', hostKeys)).refusals).toEqual([]);
    await first.close();
    const second = await start({ port: first.port });
    const found = await read('winrm', first.port, 'right-password', hostKeys);
    expect(found.refusals).toMatchObject([{ code: 'HOST_KEY_CHANGED' }]);
    expect(second.authorizations).toEqual([]);
  });

  test('where only http answers, no account is sent', async () => {
    const found = await read('winrm', 5985, 'right-password');
    expect(found.refusals).toMatchObject([{ protocol: 'winrm', code: 'ENCRYPTION_REQUIRED' }]);
    expect(found.host.evidence?.map(({ group }) => group)).toEqual(['addresses', 'services']);
  });

  const target = (port: number) => ({
    ...{ address: '127.0.0.1', port, username: 'ops', password: 'right-password' },
  });
  test.each<[string, { status: number; body: string }, string]>([
    ['text that is no XML', { status: 200, body: 'raw:not xml' }, 'WINRM_FAULT'],
    ['entities', { status: 200, body: 'raw:<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }, 'WINRM_FAULT'],
    ['a fault', { status: 500, body: '<s:Fault/>' }, 'WINRM_FAULT'],
    ['no shell', { status: 200, body: '<other/>' }, 'WINRM_FAULT'],
    ['more than a message may have', { status: 200, body: 'x'.repeat(2_000_000) }, 'TOO_MUCH_OUTPUT'],
    ['another protocol', { status: 101, body: '' }, 'CONNECTION_CLOSED'],
  ])('a host that answers with %s', async (_, reply, code) => {
    const host = await start({ answer: () => reply });
    expect(await runWsmanScript(target(host.port), never)).toEqual({ code });
  });

  test('a command that never ends', async () => {
    const running = '<rsp:Stream Name="stdout"/><rsp:CommandState State="x/CommandState/Running"/>';
    const host = await start({
      answer: (action) => (action === 'Receive' ? { status: 200, body: running } : undefined),
    });
    const { port } = host;
    for (const limits of [
      { ...wsmanLimits, totalMs: 300 },
      { ...wsmanLimits, answers: 3 },
    ])
      expect(await runWsmanScript(target(port), never, undefined, limits)).toEqual({ code: 'TIMEOUT' });
  });

  test('a closed port, and an abort', async () => {
    const closed = await startWsmanHost();
    await closed.close();
    expect(await runWsmanScript(target(closed.port), never)).toEqual({ code: 'UNREACHABLE' });
    const controller = new AbortController();
    const host = await start({
      answer: () => {
        controller.abort(new Error('stop'));
        return undefined;
      },
    });
    await expect(runWsmanScript(target(host.port), controller.signal)).rejects.toThrow('stop');
  });
});

test('rows of an unexpected form are left out', () => {
  expect(parseWindowsPackages('{"value":[{"DisplayName":"A"}],"Count":1}')).toEqual([
    { name: 'A', version: '', arch: '' },
  ]);
  for (const text of ['', '{}', 'null', '[1,[],null]', '[{"DisplayName":5}]'])
    expect(parseWindowsPackages(text)).toEqual([]);
  const route = { Destination: '10.0.0.0', Mask: '255.0.255.0', NextHop: 'x' };
  expect(parseWindowsRoutes(JSON.stringify([route, { ...route, Mask: null }]), new Map())).toEqual([]);
});
