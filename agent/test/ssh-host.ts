// An ssh server on a loopback address. What it does after the sign-in is up to the test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type Algorithms, type AuthContext, type Connection, type ServerChannel } from 'ssh2';

export type Shell = (channel: ServerChannel, command: string) => void;

export interface SshHost {
  port: number;
  hostKey: string;
  /** Methods of the sign-ins that were tried. */
  attempts: string[];
  connections(): number;
  close(): Promise<void>;
}

/** Runs the command as sshd does, by the user's shell; output before it comes from the shell's start files. */
export function runCommand({ shell = '/bin/sh', startOutput = '', env = {} } = {}): Shell {
  return (channel, command) => {
    channel.write(startOutput);
    const child = spawn(shell, ['-c', command], {
      env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
    });
    // What closes early, on either side, is part of some tests.
    for (const stream of [channel, child.stdin, child.stdout]) stream.on('error', () => undefined);
    channel.pipe(child.stdin);
    child.stdout.pipe(channel, { end: false });
    child.stderr.on('data', (text) => channel.stderr.write(text));
    child.once('close', (code) => {
      channel.exit(code ?? 1);
      channel.end();
    });
    channel.once('close', () => child.kill('SIGKILL'));
  };
}

/** Those of a switch of 2008. */
export const oldAlgorithms: Algorithms = {
  kex: ['diffie-hellman-group1-sha1'],
  cipher: ['3des-cbc'],
  hmac: ['hmac-sha1-96'],
};

/** An Ed25519 key. ssh2 writes one in some hundred in a form that it cannot read. */
export function generateHostKey(): string {
  for (;;) {
    const key = ssh2.utils.generateKeyPairSync('ed25519').private;
    if (!(ssh2.utils.parseKey(key) instanceof Error)) return key;
  }
}

export async function startSshHost({
  shell = runCommand(),
  accept = (auth: AuthContext) =>
    auth.method === 'password' && auth.username === 'ops' && auth.password === 'right',
  address = '127.0.0.1',
  port = 0,
  methods = ['password'] as ('password' | 'publickey' | 'keyboard-interactive')[],
  key = generateHostKey(),
  moreKeys = [] as string[],
  algorithms,
}: {
  shell?: Shell;
  /** Undefined if the sign-in is answered later. */
  accept?: (auth: AuthContext) => boolean | undefined;
  address?: string;
  port?: number;
  methods?: ('password' | 'publickey' | 'keyboard-interactive')[];
  key?: string;
  /** Keys of other types. */
  moreKeys?: string[];
  /** The only ones that the host has. */
  algorithms?: Algorithms;
} = {}): Promise<SshHost> {
  const clients = new Set<Connection>();
  const attempts: string[] = [];
  let connections = 0;
  const server = new ssh2.Server(
    { hostKeys: [key, ...moreKeys], ...(algorithms ? { algorithms } : {}) },
    (client) => {
      connections++;
      clients.add(client);
      client.on('error', () => undefined);
      client.on('close', () => clients.delete(client));
      client.on('authentication', (auth) => {
        if (auth.method !== 'none') attempts.push(auth.method);
        const accepted = accept(auth);
        if (accepted === true) auth.accept();
        else if (accepted === false) auth.reject(methods);
      });
      client.on('session', (acceptSession) => {
        acceptSession().on('exec', (acceptExec, _, { command }) => shell(acceptExec(), command));
      });
    },
  );
  server.listen(port, address);
  await once(server, 'listening');
  const parsed = ssh2.utils.parseKey(key);
  if (parsed instanceof Error) throw parsed;
  const { createHash } = await import('node:crypto');
  const publicKey = [parsed].flat()[0]!.getPublicSSH();
  return {
    port: (server.address() as AddressInfo).port,
    hostKey: `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`,
    attempts,
    connections: () => connections,
    async close() {
      for (const client of clients) client.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
