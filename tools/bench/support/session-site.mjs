// A site for remote sessions: the built server, the built agent as its gateway, and a real sshd, all on loopback.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { tsImport } from 'tsx/esm/api';
import { callApi, startServer } from '../testbed.mjs';

const agentProgram = fileURLToPath(new URL('../../../agent/dist/main.js', import.meta.url));
const load = (path) => tsImport(`../../../${path}`, import.meta.url);
const clockTicks = 100;
/** Bytes of a log chunk that is complete. */
const chunkBytes = 256 * 1024;

export function whyNoSessionSite() {
  if (!existsSync(agentProgram)) return 'agent/dist/main.js is missing: run "npm run build" first';
  const missing = ['/usr/sbin/sshd', '/usr/bin/ssh', '/usr/bin/sftp'].find((path) => !existsSync(path));
  return missing && `${missing} is not installed`;
}

export async function openSessionSite() {
  const { startRealSshd } = await load('agent/test/sessions/real-sshd.ts');
  const { StreamViewer } = await load('fixtures/src/testbed/stream-viewer.ts');
  const { setUpKroker } = await load('fixtures/src/testbed/kroker-machine.ts');
  const { growHeapFurther } = await load('core/src/greac/stream/heap-growth.ts');
  const { encryptCredential } = await load('core/src/kroker/encrypt-credential.ts');
  // The viewers are in this process, and do as the command line does.
  growHeapFurther(setFlagsFromString);
  const folder = await mkdtemp(join(tmpdir(), 'yagura-bench-sessions-'));
  const sshd = await startRealSshd();
  const server = await startServer();
  const make = (path, body) => callApi(server, 'POST', path, body);
  const headers = async () => ({ 'x-authorization': `Token ${server.token}` });
  const machine = await setUpKroker({ fetch, origin: server.origin, headers }, { displayName: 'Bench' });
  const { krokerId, token, publicKey } = machine;
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', machine.privateKey);
  const keyFile = { url: server.origin, krokerId, token, privateKey: { kty, crv, x, y, d } };
  await writeFile(join(folder, 'kroker.json'), JSON.stringify(keyFile), { mode: 0o600 });
  const settings = join(folder, 'agent.toml');
  await writeFile(
    settings,
    `url = "${server.origin}"\nstateFolder = "state"\n[gateway]\nkeyFile = "kroker.json"\n` +
      '[sessions]\nallowed = ["127.0.0.1"]\nports = []\n',
    { mode: 0o600 },
  );
  const agent = spawn(process.execPath, [agentProgram, 'run', '--settings', settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  agent.stderr.resume();
  const kroker = () => callApi(server, 'GET', `/api/apps/kroker/krokers/${krokerId}`);
  for (let tries = 0; (await kroker()).connectionState !== 'connected'; tries++) {
    if (tries === 200) throw new Error('the gateway did not connect');
    await sleep(100);
  }
  // Without a passphrase, whose derivation would be most of what is measured.
  const userKey = join(sshd.folder, 'user');
  execFileSync('/usr/bin/ssh-keygen', ['-q', '-p', '-P', 'phrase', '-N', '', '-f', userKey]);
  const { username } = sshd.credential;
  const secret = {
    credentialType: 'private-key',
    username,
    privateKey: readFileSync(userKey, 'utf8'),
    passphrase: '',
  };
  const { credentialId } = await make(`/api/apps/kroker/krokers/${krokerId}/credentials`, {
    ...{ displayName: 'Bench', credentialType: 'private-key' },
    encryptedData: await encryptCredential(secret, { krokerId, publicKey }),
  });
  const { destinationId } = await make('/api/apps/greac/destinations', {
    ...{ displayName: 'Bench', protocol: 'ssh', host: '127.0.0.1', port: sshd.port, krokerId, credentialId },
    ...{ hostKeyPolicy: 'accept', fileTransfer: { enabled: true, rootDirectory: sshd.folder } },
  });
  /** Resolves with the id of a destination at a desktop, which may have an account. */
  const createDesktop = async (
    { port, account = { username: 'bench', password: 'bench' } },
    { width, height },
  ) => {
    const { credentialId } = await make(`/api/apps/kroker/krokers/${krokerId}/credentials`, {
      ...{ displayName: `Bench desktop ${port}`, credentialType: 'password' },
      encryptedData: await encryptCredential(
        { credentialType: 'password', ...account },
        { krokerId, publicKey },
      ),
    });
    const { destinationId } = await make('/api/apps/greac/destinations', {
      ...{
        displayName: `Bench desktop ${port}`,
        protocol: 'rdp',
        host: '127.0.0.1',
        port,
        krokerId,
        credentialId,
      },
      parameters: { ignoreCert: true, displayWidth: width, displayHeight: height },
    });
    return destinationId;
  };
  const processOf = (name) => readFileSync(`/proc/${agent.pid}/${name}`, 'utf8');
  return {
    ...{ server, sshd, folder, userKey },
    sshOptions: [
      ...['-F', 'none', '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
      ...['-o', 'LogLevel=ERROR', '-i', userKey],
    ],
    createDesktop,
    /** Opens a session at a destination, or at the sshd; resolves with its id. */
    open: async (at = destinationId) =>
      (await make('/api/apps/greac/sessions', { destinationId: at })).sessionId,
    view: (sessionId, mode) => new StreamViewer(server, sessionId, mode),
    close: (sessionId) => make(`/api/apps/greac/sessions/${sessionId}/close`, {}),
    /** Sessions that are opened later are recorded. */
    record: () => make('/api/apps/greac/log-keys/refresh', {}),
    /** Resolves when the gateway has uploaded the logs of what was shown. */
    async uploaded() {
      const spool = join(folder, 'state/session-logs');
      const isWaiting = (path) => statSync(path, { throwIfNoEntry: false })?.size === chunkBytes;
      const chunks = () => readdirSync(spool, { recursive: true }).map((path) => join(spool, path));
      while (existsSync(spool) && chunks().some(isWaiting)) await sleep(50);
    },
    /** Seconds of processor time that the gateway has used. */
    gatewaySeconds() {
      const fields = processOf('stat')
        .replace(/^.*\) /, '')
        .split(' ');
      return (Number(fields[11]) + Number(fields[12])) / clockTicks;
    },
    /** The most memory that the gateway has had since the last call. */
    gatewayMegabytes: () => Number(/^VmHWM:\s+(\d+)/m.exec(processOf('status'))[1]) / 1024,
    async stop() {
      const exited = once(agent, 'exit');
      agent.kill('SIGTERM');
      await exited;
      await server.stop();
      await sshd.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
