import { randomUUID } from 'node:crypto';
import type { AgentMessage } from '@yagura/core/ksocket/agent-protocol';
import ssh2 from 'ssh2';
import { afterEach, expect, test } from 'vitest';
import type { HostPart } from '../src/collect/host-part.ts';
import { createHostReader } from '../src/collect/read-host.ts';
import type { Credential } from '../src/settings/credential-files.ts';
import { KnownHosts } from '../src/state/known-hosts.ts';
import { makeStateFolder, startAgentUnderTest } from './agent-under-test.ts';
import { runCommand, type SshHost, startSshHost } from './ssh-host.ts';
import { testCredential } from './test-credential.ts';
import { startTestHub } from './test-hub.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function scan(
  seeds: string[],
  credentials: Credential[],
  scanSettings: object,
): Promise<Extract<AgentMessage, { type: 'hosts' }>[]> {
  const hub = await startTestHub();
  cleanups.push(() => hub.close());
  const agent = startAgentUnderTest(hub.origin, {
    allowed: ['127.0.0.0/16'],
    credentials,
    scan: scanSettings,
  });
  cleanups.push(() => agent.stop());
  await hub.next('hello');
  hub.send({ type: 'scan', snapshotId: randomUUID(), settings: { seeds, allowed: [], forbidden: [] } });
  await hub.next('done');
  for (const { account } of credentials) expect(JSON.stringify(agent.lines)).not.toContain(account.password);
  expect(JSON.stringify(hub.messages)).not.toContain('right-password');
  return hub.messages.filter((message) => message.type === 'hosts');
}

const accept = (auth: { method: string }) => 'password' in auth && auth.password === 'right-password';

test('a host is read with the first account that works, and the report says with which', async () => {
  const host = await startSshHost({ accept });
  cleanups.push(() => host.close());
  const credentials = [
    testCredential('ssh/a.toml', host.port, 'wrong'),
    testCredential('ssh/b.toml', host.port, 'right-password'),
  ];
  const [chunk] = await scan(['127.0.0.1'], credentials, { ports: [9] });
  expect(chunk?.refusals).toEqual([
    { addr: '127.0.0.1', protocol: 'ssh', code: 'SIGN_IN_FAILED', credential: 'ssh/a.toml' },
  ]);
  const [found] = chunk!.hosts;
  expect(found?.signatures.sshHostKey).toBe(host.hostKey);
  expect(found?.packages.length).toBeGreaterThan(50);
  expect(found?.evidence).toEqual(
    expect.arrayContaining([
      { group: 'services', source: 'tcp', at: expect.any(String) },
      { group: 'packages', source: 'ssh', at: expect.any(String), credential: 'ssh/b.toml' },
      { group: 'interfaces', source: 'ssh', at: expect.any(String), credential: 'ssh/b.toml' },
    ]),
  );
});

test('two accounts at most are tried at a host', async () => {
  const host = await startSshHost({ accept });
  cleanups.push(() => host.close());
  const credentials = ['a', 'b', 'c'].map((name) => testCredential(`ssh/${name}.toml`, host.port, 'wrong'));
  const [chunk] = await scan(['127.0.0.1'], credentials, { ports: [9] });
  expect(chunk?.refusals.map(({ credential, code }) => `${credential} ${code}`)).toEqual([
    ...['ssh/a.toml SIGN_IN_FAILED', 'ssh/b.toml SIGN_IN_FAILED', 'ssh/c.toml CREDENTIAL_LIMIT_REACHED'],
  ]);
  expect(host.attempts).toHaveLength(2);
  // What could not be read is not reported as empty.
  expect(chunk?.hosts[0]?.evidence.map(({ group }) => group)).toEqual(['addresses', 'services']);
});

/** Starts a host at each address, all on a port that happens to be free at every one of them. */
async function startOnOnePort(addresses: string[]): Promise<SshHost[]> {
  const hosts: SshHost[] = [];
  try {
    for (const address of addresses)
      hosts.push(await startSshHost({ accept, address, port: hosts[0]?.port ?? 0 }));
  } catch (error) {
    for (const host of hosts) await host.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return startOnOnePort(addresses);
  }
  for (const host of hosts) cleanups.push(() => host.close());
  return hosts;
}

test('an account that failed on ten hosts running is set aside', async () => {
  const addresses = Array.from({ length: 14 }, (_, index) => `127.0.0.${index + 1}`);
  const hosts = await startOnOnePort(addresses);
  const credentials = [testCredential('ssh/a.toml', hosts[0]!.port, 'wrong')];
  const chunks = await scan(['127.0.0.0/28'], credentials, { ports: [9], parallelHosts: 1 });
  const codes = chunks.flatMap(({ refusals }) => refusals.map(({ code }) => code));
  expect(codes.filter((code) => code === 'SIGN_IN_FAILED')).toHaveLength(10);
  expect(codes.filter((code) => code === 'CREDENTIAL_SET_ASIDE')).toHaveLength(4);
  expect(hosts.reduce((sum, host) => sum + host.attempts.length, 0)).toBe(10);
});

test('an account is not sent to a host whose key has changed', async () => {
  const stateFolder = makeStateFolder();
  cleanups.push(() => stateFolder.remove());
  const hostKeys = new KnownHosts(stateFolder.path);
  const host = await startSshHost({ accept });
  const { port } = host;
  const read = (known?: KnownHosts) => {
    const credentials = [testCredential('ssh/a.toml', port, 'right-password')];
    const readHost = createHostReader({ credentials, lookup: async () => [], now: () => 0, hostKeys: known });
    const context = { signal: new AbortController().signal, admit: async () => undefined, failures: {} };
    return readHost({ address: '127.0.0.1', ports: [port], at: 0 }, context);
  };
  expect((await read(hostKeys)).refusals).toEqual([]);
  expect((await read(hostKeys)).refusals).toEqual([]);
  expect(await hostKeys.list()).toEqual([
    { protocol: 'ssh', address: '127.0.0.1', port, type: 'ssh-ed25519', fingerprint: host.hostKey },
  ]);
  await host.close();

  const other = await startSshHost({ accept, port });
  cleanups.push(() => other.close());
  expect((await read(hostKeys)).refusals).toEqual([
    { addr: '127.0.0.1', protocol: 'ssh', code: 'HOST_KEY_CHANGED', credential: 'ssh/a.toml' },
  ]);
  expect(other.attempts).toEqual([]);
  expect((await hostKeys.list())[0]?.fingerprint).toBe(host.hostKey);
  // Where the site accepts any key.
  expect((await read()).refusals).toEqual([]);
  await hostKeys.forget('127.0.0.1');
  expect((await read(hostKeys)).refusals).toEqual([]);
  expect((await hostKeys.list())[0]?.fingerprint).toBe(other.hostKey);
});

test('a host that has received another key is asked for the known one', async () => {
  const stateFolder = makeStateFolder();
  cleanups.push(() => stateFolder.remove());
  const hostKeys = new KnownHosts(stateFolder.path);
  const rsa = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }).private;
  const first = await startSshHost({ accept, key: rsa });
  const { port } = first;
  const credentials = [testCredential('ssh/a.toml', port, 'right-password')];
  const readHost = createHostReader({ credentials, lookup: async () => [], now: () => 0, hostKeys });
  const context = { signal: new AbortController().signal, admit: async () => undefined, failures: {} };
  const read = () => readHost({ address: '127.0.0.1', ports: [port], at: 0 }, context);
  expect((await read()).host.signatures).toMatchObject({ sshHostKey: first.hostKey });
  await first.close();
  const second = await startSshHost({ accept, port, moreKeys: [rsa] });
  cleanups.push(() => second.close());
  const again = await read();
  expect(again.refusals).toEqual([]);
  expect(again.host.signatures).toMatchObject({ sshHostKey: first.hostKey });
});

test('a host without an account still shows its key', async () => {
  const host = await startSshHost();
  cleanups.push(() => host.close());
  const { port } = host;
  const readHost = createHostReader({ credentials: [], lookup: async () => [], now: () => 0, sshPort: port });
  const context = { signal: new AbortController().signal, admit: async () => undefined, failures: {} };
  const found = { address: '127.0.0.1', ports: [port], at: 0 };
  expect((await readHost(found, context)).host.signatures).toEqual({ sshHostKey: host.hostKey });
  expect(host.attempts).toEqual([]);
});

test('a router that is asked again is read only as far as its ARP table needs', async () => {
  const scripts: string[] = [];
  const host = await startSshHost({
    accept,
    shell: (channel, command) => {
      const [marker] = /[\da-f]{32}/.exec(command)!;
      let script = '';
      channel.on('data', (text: Buffer) => {
        script += text;
      });
      channel.on('end', () => {
        scripts.push(script);
        channel.end(
          [
            `\n${marker} ip-address\n`,
            '[{"ifname":"eth0","addr_info":[{"local":"10.0.0.1","prefixlen":24}]}]',
            `\n${marker} ip-neighbor\n[{"dst":"10.0.0.9","lladdr":"52:54:00:aa:bb:09"}]`,
            `\n${marker} end\n`,
          ].join(''),
        );
      });
      channel.write(`${marker}-42\n`);
    },
  });
  cleanups.push(() => host.close());
  const keyOnly = await startSshHost();
  cleanups.push(() => keyOnly.close());
  const lookups: string[] = [];
  const winrm = { ...testCredential('winrm/w.toml', keyOnly.port, 'w'), protocol: 'winrm' as const };
  const readHost = createHostReader({
    credentials: [testCredential('ssh/a.toml', host.port, 'right-password'), winrm],
    lookup: async (address) => {
      lookups.push(address);
      return [];
    },
    ...{ now: () => 0, sshPort: keyOnly.port },
  });
  const context = {
    ...{ signal: new AbortController().signal, admit: async () => undefined, failures: {} },
    only: 'arp' as const,
  };
  const read = await readHost({ address: '127.0.0.1', ports: [host.port], at: 0 }, context);
  expect(read.arp).toMatchObject([{ addr: '10.0.0.9', macaddr: '52:54:00:aa:bb:09' }]);
  const sections = [...scripts[0]!.matchAll(/'[\da-f]{32} ([\w-]+)'/g)].map(([, name]) => name);
  expect(sections).toEqual(['ip-address', 'ip-text', 'ifconfig', 'ip-neighbor', 'end']);
  // Neither its key without an account nor WinRM.
  expect(await readHost({ address: '127.0.0.1', ports: [keyOnly.port], at: 0 }, context)).toMatchObject({
    refusals: [],
  });
  expect([scripts.length, keyOnly.connections(), lookups]).toEqual([1, 0, []]);
});

test('the machine of the agent is not signed in to when it was read without', async () => {
  const host = await startSshHost({ accept });
  cleanups.push(() => host.close());
  const { port } = host;
  const own: HostPart = {
    ...{ fields: { system: { family: 'Debian' } }, groups: ['system'], source: 'agent' },
    ...{ ownAddresses: [], identities: [] },
  };
  const read = (part: HostPart | undefined) =>
    createHostReader({
      credentials: [testCredential('ssh/a.toml', port, 'right-password')],
      ...{ lookup: async () => [], now: () => 0, sshPort: port, readOwn: async () => part },
    })(
      { address: '127.0.0.1', ports: [port], at: 0 },
      { signal: new AbortController().signal, admit: async () => undefined, failures: {} },
    );
  expect((await read(own)).host).toMatchObject({
    system: { family: 'Debian' },
    signatures: { sshHostKey: host.hostKey },
  });
  expect(host.attempts).toEqual([]);
  // Where there is no shell to read it with.
  expect((await read(undefined)).host.signatures).toMatchObject({ sshHostKey: host.hostKey });
  expect(host.attempts).toEqual(['password']);
});

test('a host that floods or hangs does not hold up the others', async () => {
  const flooding = await startSshHost({
    accept,
    shell: (channel, command) => {
      const flood = () => {
        while (!channel.destroyed && channel.write(Buffer.alloc(65_536, 'y')));
      };
      channel.write(`${/[\da-f]{32}/.exec(command)![0]}-42\n`);
      channel.on('drain', flood).on('error', () => undefined);
      flood();
    },
  });
  cleanups.push(() => flooding.close());
  const healthy = await startSshHost({
    accept,
    shell: runCommand(),
    address: '127.0.0.2',
    port: flooding.port,
  });
  cleanups.push(() => healthy.close());
  const credentials = [testCredential('ssh/a.toml', flooding.port, 'right-password')];
  const [chunk] = await scan(['127.0.0.1', '127.0.0.2'], credentials, { ports: [9] });
  expect(chunk?.refusals).toEqual([
    { addr: '127.0.0.1', protocol: 'ssh', code: 'TOO_MUCH_OUTPUT', credential: 'ssh/a.toml' },
  ]);
  const read = chunk!.hosts.find(({ addresses }) => addresses[0]?.addr === '127.0.0.2');
  expect(read?.packages.length).toBeGreaterThan(50);
});
