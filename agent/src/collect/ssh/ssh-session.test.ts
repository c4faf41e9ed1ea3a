import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { hostname, networkInterfaces, totalmem } from 'node:os';
import ssh2 from 'ssh2';
import { afterEach, describe, expect, test } from 'vitest';
import { oldAlgorithms, runCommand, type SshHost, startSshHost } from '../../../test/ssh-host.ts';
import { toHostPart } from './ssh-host-part.ts';
import { fetchHostKey, runSshScript, type SshTarget, sshLimits } from './ssh-session.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function start(options: Parameters<typeof startSshHost>[0] = {}): Promise<SshHost> {
  const host = await startSshHost(options);
  cleanups.push(() => host.close());
  return host;
}

const target = ({ port }: Pick<SshHost, 'port'>, more: Partial<SshTarget> = {}): SshTarget => ({
  ...{ address: '127.0.0.1', port, isLegacy: false, username: 'ops', password: 'right' },
  ...more,
});
const never = new AbortController().signal;
/** Short limits, for hosts that use them up. */
const short = { connectMs: 2000, shellMs: 300, totalMs: 1500, output: 64 * 1024, banner: 4096 };

const lines = (command: string, args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\n')
    .filter(Boolean);

describe('reading by ssh', () => {
  test('gives what this machine says itself', async () => {
    const host = await start();
    const result = await runSshScript(target(host), never);
    if (!('value' in result)) throw new Error(result.code);
    const { sections, hostKey } = result.value;
    expect(hostKey).toBe(host.hostKey);
    const part = toHostPart(sections, hostKey);
    expect(part.groups).toEqual(expect.arrayContaining(['interfaces', 'system', 'packages', 'listening']));
    expect(part.fields.system?.family).not.toBe('');
    const own = Object.entries(networkInterfaces()).flatMap(([ifname, addresses = []]) =>
      addresses.map(
        ({ address, netmask, family }) => `${ifname} ${address} ${family === 'IPv4' ? netmask : ''}`,
      ),
    );
    const read = part.fields.interfaces!.flatMap(({ ifname, addr, netmask }) =>
      addr ? [`${ifname} ${addr} ${addr.includes(':') ? '' : netmask}`] : [],
    );
    expect(read.sort()).toEqual(own.sort());
    const dpkg = lines('dpkg-query', [
      '-W',
      '-f',
      `\${db:Status-Status} \${Package} \${Version} \${Architecture}\\n`,
    ]);
    expect(
      part.fields.packages!.map(({ name, version, arch }) => `installed ${name} ${version} ${arch}`).sort(),
    ).toEqual(dpkg.filter((line) => line.startsWith('installed ')).sort());
    expect(part.fields.extraFields).toMatchObject({
      kernel: { name: 'Linux', release: lines('uname', ['-r'])[0] },
      memory: { totalSize: totalmem() / 1024 },
    });
    expect(sections.get('uname')).toContain(hostname());
    const port = part.fields.listening!.find((one) => one.protocol === 'tcp' && one.port === host.port);
    expect(port).toMatchObject({ address: '127.0.0.1' });
  });

  test('runs nothing but sh, and leaves no file and no history', async () => {
    const commands: string[] = [];
    const host = await start({
      shell: (channel, command) => {
        commands.push(command);
        runCommand()(channel, command);
      },
    });
    await runSshScript(target(host), never);
    expect(commands).toEqual([
      expect.stringMatching(/^sh -c 'echo [\da-f]{32}-\$\(\(6\*7\)\); exec sh -s'$/),
    ]);
    expect(host.connections()).toBe(1);
  });

  test('accepts a prompt for the password and a key with passphrase', async () => {
    const prompting = await start({
      methods: ['keyboard-interactive'],
      accept: (auth) => {
        if (auth.method !== 'keyboard-interactive') return false;
        auth.prompt([{ prompt: 'Password: ', echo: false }], (answers) =>
          answers?.[0] === 'right' ? auth.accept() : auth.reject(),
        );
        return undefined;
      },
    });
    expect(await runSshScript(target(prompting), never)).toHaveProperty('value');
    expect(await runSshScript(target(prompting, { password: 'no' }), never)).toEqual({
      code: 'SIGN_IN_FAILED',
    });
    expect(prompting.attempts).toEqual(['keyboard-interactive', 'keyboard-interactive']);
    const pair = ssh2.utils.generateKeyPairSync('ed25519', {
      ...{ passphrase: 'phrase', cipher: 'aes256-ctr', rounds: 1 },
    });
    const byKey = await start({ methods: ['publickey'], accept: (auth) => auth.method === 'publickey' });
    const withKey = target(byKey, { password: undefined, privateKey: pair.private, passphrase: 'phrase' });
    expect(await runSshScript(withKey, never)).toHaveProperty('value');
    expect(await runSshScript({ ...withKey, passphrase: 'other' }, never)).toEqual({
      code: 'KEY_UNREADABLE',
    });
    expect(await runSshScript({ ...withKey, privateKey: 'no key' }, never)).toEqual({
      code: 'KEY_UNREADABLE',
    });
  });

  test.each<[string, string]>([
    ['a banner with escapes', '\x1b[2J\x1b]0;title\x07Welcome\r\n\x1b[31mAuthorized use only\x1b[0m\n'],
    ['a start file that prints JSON', '[{"ifname":"eth9"}]\n'],
  ])('ignores %s', async (_, startOutput) => {
    const host = await start({ shell: runCommand({ startOutput }) });
    const result = await runSshScript(target(host), never);
    if (!('value' in result)) throw new Error(result.code);
    expect(JSON.stringify([...result.value.sections])).not.toMatch(/Welcome|eth9/);
    expect(toHostPart(result.value.sections, '').groups).toContain('system');
  });
});

describe('a host that cannot be read', () => {
  test('a wrong password is one attempt', async () => {
    const host = await start({ methods: ['password', 'keyboard-interactive'] });
    expect(await runSshScript(target(host, { password: 'wrong' }), never)).toEqual({
      code: 'SIGN_IN_FAILED',
    });
    expect(host.attempts).toEqual(['password']);
  });

  test('a menu in place of a shell receives nothing', async () => {
    let received = '';
    const host = await start({
      shell: (channel, command) => {
        channel.on('data', (chunk: Buffer) => {
          received += chunk;
        });
        channel.write(`unknown command: ${command}\n1) Restart\n2) Erase everything\nChoice: `);
      },
    });
    expect(await runSshScript(target(host), never, short)).toEqual({ code: 'NOT_A_SHELL' });
    expect(received).toBe('');
  });

  test('a shell that ends at once', async () => {
    const host = await start({ shell: runCommand({ shell: '/bin/false' }) });
    expect(await runSshScript(target(host), never)).toEqual({ code: 'NOT_A_SHELL' });
  });

  test('output without end', async () => {
    const endless = await start({ shell: runCommand({ startOutput: 'x'.repeat(8000) }) });
    expect(await runSshScript(target(endless), never, short)).toEqual({ code: 'NOT_A_SHELL' });
    // A shell that answers with endless text after its start.
    const flooding = await start({
      shell: (channel, command) => {
        const marker = /[\da-f]{32}/.exec(command)![0];
        channel.write(`${marker}-42\n`);
        const flood = () => {
          while (!channel.destroyed && channel.write(Buffer.alloc(16_384, 'y')));
        };
        channel.on('drain', flood).on('error', () => undefined);
        flood();
      },
    });
    expect(await runSshScript(target(flooding), never, short)).toEqual({ code: 'TOO_MUCH_OUTPUT' });
  });

  test('one that says nothing after the start of its shell', async () => {
    const host = await start({
      shell: (channel, command) => channel.write(`${/[\da-f]{32}/.exec(command)![0]}-42\n`),
    });
    expect(await runSshScript(target(host), never, short)).toEqual({ code: 'TIMEOUT' });
  });

  test('one that goes on sending byte by byte', async () => {
    const host = await start({
      shell: (channel, command) => {
        channel.write(`${/[\da-f]{32}/.exec(command)![0]}-42\n`);
        const timer = setInterval(() => channel.write('.'), 20);
        channel.on('error', () => undefined).once('close', () => clearInterval(timer));
      },
    });
    expect(await runSshScript(target(host), never, short)).toEqual({ code: 'TIMEOUT' });
  });

  test('one that cuts the connection in the middle', async () => {
    const host = await start({
      shell: (channel, command) => {
        const marker = /[\da-f]{32}/.exec(command)![0];
        channel.write(`${marker}-42\n\n${marker} uname\nLinux\n`);
        channel.end();
      },
    });
    expect(await runSshScript(target(host), never)).toEqual({ code: 'CONNECTION_CLOSED' });
  });

  test.each<[string, (server: Server) => void, string]>([
    [
      'something else on the port',
      (server) =>
        server.on('connection', (socket) => socket.end('HTTP/1.1 400\r\n\r\n').on('error', () => undefined)),
      'CONNECTION_CLOSED',
    ],
    ['a port that says nothing', () => undefined, 'TIMEOUT'],
  ])('%s', async (_, serve, code) => {
    const server = createServer((socket) => socket.on('error', () => undefined));
    serve(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    const { port } = server.address() as { port: number };
    expect(await runSshScript(target({ port }), never, { ...short, connectMs: 300 })).toEqual({ code });
    server.close();
  });

  test('a closed port', async () => {
    const host = await startSshHost();
    await host.close();
    expect(await runSshScript(target(host), never)).toEqual({ code: 'UNREACHABLE' });
  });

  test('an abort ends the connection', async () => {
    const controller = new AbortController();
    const host = await start({ shell: () => controller.abort(new Error('stop')) });
    await expect(runSshScript(target(host), controller.signal)).rejects.toThrow('stop');
    await expect(runSshScript(target(host), controller.signal, sshLimits)).rejects.toThrow('stop');
  });

  test('its key is read without a sign-in', async () => {
    const host = await start();
    expect(await fetchHostKey({ address: '127.0.0.1', port: host.port, isLegacy: false }, never)).toBe(
      host.hostKey,
    );
    expect(host.attempts).toEqual([]);
  });

  test('a host with outdated algorithms only is read where the site permits it', async () => {
    const host = await start({ algorithms: oldAlgorithms });
    expect(await runSshScript(target(host), never)).toEqual({ code: 'NO_COMMON_ALGORITHM' });
    const legacy = { address: '127.0.0.1', port: host.port, isLegacy: true };
    expect(await fetchHostKey({ ...legacy, isLegacy: false }, never)).toBeUndefined();
    expect(await fetchHostKey(legacy, never)).toBe(host.hostKey);
    expect(await runSshScript(target(host, legacy), never)).toMatchObject({
      value: { hostKey: host.hostKey },
    });
  });
});
