// Debian's sshd on a loopback port, with its own configuration, keys and account; nothing of the system's is used.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { CredentialSecret } from '@yagura/core/kroker/open-credential';
import { freePort } from '@yagura/fixtures/testbed/free-port';

const sshd = '/usr/sbin/sshd';
const keygenProgram = '/usr/bin/ssh-keygen';
export const hasSshd = existsSync(sshd);

export interface RealSshd {
  port: number;
  /** Fingerprint of its host key. */
  hostKey: string;
  /** Signs in as the user of the test. */
  credential: CredentialSecret;
  folder: string;
  close(): Promise<void>;
}

export async function startRealSshd({ port = 0, shellCommand = '', hasSftp = true } = {}): Promise<RealSshd> {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-sshd-'));
  const keygen = (name: string, passphrase = '') =>
    execFileSync(keygenProgram, ['-q', '-t', 'ed25519', '-N', passphrase, '-f', join(folder, name)]);
  keygen('host');
  keygen('user', 'phrase');
  writeFileSync(join(folder, 'authorized_keys'), readFileSync(join(folder, 'user.pub')));
  chmodSync(folder, 0o700);
  const own = port || (await freePort());
  const config = [
    `Port ${own}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PubkeyAuthentication yes',
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
    'PrintMotd no',
    'PrintLastLog no',
    ...(hasSftp ? ['Subsystem sftp internal-sftp'] : []),
    ...(shellCommand ? [`ForceCommand ${shellCommand}`] : []),
  ];
  writeFileSync(join(folder, 'sshd_config'), `${config.join('\n')}\n`);
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  const child = spawn(sshd, ['-D', '-e', '-f', join(folder, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr!.setEncoding('utf8');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr!.on('data', (text: string) => {
      said += text;
      if (said.includes('Server listening')) resolve();
    });
    child.once('exit', () => reject(new Error(`sshd: ${said}`)));
  });
  const shown = execFileSync(keygenProgram, ['-l', '-f', join(folder, 'host.pub')], { encoding: 'utf8' });
  return {
    port: own,
    hostKey: shown.split(' ')[1]!,
    folder,
    credential: {
      ...{ credentialType: 'private-key', username: userInfo().username, passphrase: 'phrase' },
      privateKey: readFileSync(join(folder, 'user'), 'utf8'),
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
