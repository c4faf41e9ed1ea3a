// One ssh connection to a host: signs in, runs a script on the standard input of `sh`, bounded in time and size.
import { randomBytes } from 'node:crypto';
import ssh2, { type ClientChannel } from 'ssh2';
import { fingerprintOf } from '../../fingerprint.ts';
import { hasNoCommonAlgorithm, hostKeyOrder, offeredAlgorithms } from '../../ssh/algorithms.ts';
import { readPrivateKey } from '../../ssh/private-key.ts';
import { type Account, keyTypeOf, oneAttempt } from '../../ssh/sign-in.ts';
import type { HostKey } from '../../state/known-hosts.ts';
import type { Attempt } from '../credential-health.ts';
import { powerShellArguments, powerShellScript } from '../windows/powershell-script.ts';
import { endSection, type SectionName, splitSections, sshScript } from './ssh-script.ts';

export interface SshService {
  address: string;
  port: number;
  /** Whether to offer outdated algorithms, too. */
  isLegacy: boolean;
}

export interface SshTarget extends Account, SshService {}

const { Client } = ssh2;

export const sshLimits = {
  /** Milliseconds for the connection and the sign-in. */
  connectMs: 15_000,
  /** Milliseconds for the shell to start. */
  shellMs: 10_000,
  /** Milliseconds for everything. */
  totalMs: 60_000,
  /** Bytes of output. */
  output: 32 * 1024 * 1024,
  /** Bytes before the shell has started, such as a banner. */
  banner: 256 * 1024,
};

export interface SshReading {
  sections: Map<string, string>;
  /** SHA-256 fingerprint of the host key. */
  hostKey: string;
}

/** Decides about the key of a host before the sign-in. */
export interface HostTrust {
  /** Type of the key that is known; the host is asked for this one. */
  knownType?: string | undefined;
  accept(key: HostKey): Promise<boolean>;
}
const trustAny: HostTrust = { accept: async () => true };

class SshRefusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Signs in and runs the script, or only some of its sections. Rejects only when the signal aborts. */
export async function runSshScript(
  target: SshTarget,
  signal: AbortSignal,
  limits: typeof sshLimits = sshLimits,
  trust: HostTrust = trustAny,
  only?: readonly SectionName[],
): Promise<Attempt<SshReading>> {
  const { username, password, privateKey, passphrase } = target;
  const connection = new SshConnection(target, signal, limits, trust);
  try {
    const key = privateKey === undefined ? {} : readPrivateKey(privateKey, passphrase);
    if (typeof key === 'string') throw new SshRefusal('KEY_UNREADABLE');
    await connection.connect({ username, password, ...key });
    const marker = randomBytes(16).toString('hex');
    const output = await runInShell(connection, marker, only);
    const sections = splitSections(output, marker);
    if (!sections.has(endSection)) throw new SshRefusal('CONNECTION_CLOSED');
    return { value: { sections, hostKey: connection.hostKey } };
  } catch (error) {
    signal.throwIfAborted();
    return { code: codeOf(error) };
  } finally {
    connection.close();
  }
}

interface ShellStart {
  command: string;
  /** Sent to the standard input of the shell. */
  script: string;
}

/** Windows has no `sh`: there the first command ends at once, in cmd as well as in PowerShell. */
async function runInShell(
  connection: SshConnection,
  marker: string,
  only: readonly SectionName[] | undefined,
): Promise<string> {
  const unix = { command: `sh -c 'echo ${marker}-$((6*7)); exec sh -s'`, script: sshScript(marker, only) };
  const windows = {
    command: ['powershell.exe', ...powerShellArguments(marker)].join(' '),
    script: powerShellScript(marker, endSection, only),
  };
  const output = (await connection.runScript(unix, marker)) ?? (await connection.runScript(windows, marker));
  if (output === undefined) throw new SshRefusal('NOT_A_SHELL');
  return output;
}

/** Fingerprint of the host key, without signing in; undefined if the host does not show one. */
export async function fetchHostKey(
  target: SshService,
  signal: AbortSignal,
  limits: typeof sshLimits = sshLimits,
): Promise<string | undefined> {
  const connection = new SshConnection(target, signal, limits, { accept: async () => false });
  try {
    await connection.connect({ username: 'none' });
  } catch {
    signal.throwIfAborted();
  } finally {
    connection.close();
  }
  return connection.hostKey || undefined;
}

class SshConnection {
  hostKey = '';
  private readonly client: InstanceType<typeof Client> = new Client();
  private readonly failed: Promise<never>;
  private fail: (error: unknown) => void = () => {};
  private readonly timer: NodeJS.Timeout;
  private readonly target: SshService;
  private readonly signal: AbortSignal;
  private readonly limits: typeof sshLimits;
  private readonly trust: HostTrust;

  constructor(target: SshService, signal: AbortSignal, limits: typeof sshLimits, trust: HostTrust) {
    this.target = target;
    this.signal = signal;
    this.limits = limits;
    this.trust = trust;
    this.failed = new Promise((_, reject) => {
      this.fail = reject;
    });
    this.failed.catch(() => undefined);
    this.timer = setTimeout(() => this.fail(new SshRefusal('TIMEOUT')), limits.totalMs);
    signal.addEventListener('abort', this.onAbort, { once: true });
    if (signal.aborted) this.onAbort();
    this.client.on('error', (error) => this.fail(error));
    this.client.on('close', () => this.fail(new SshRefusal('CONNECTION_CLOSED')));
  }

  /** Resolves when signed in. */
  connect(auth: Account): Promise<void> {
    const ready = new Promise<void>((resolve) => this.client.once('ready', resolve));
    const { isLegacy } = this.target;
    const knownTypes = this.trust.knownType === undefined ? [] : [this.trust.knownType];
    this.client.connect({
      username: auth.username,
      authHandler: oneAttempt(auth),
      host: this.target.address,
      port: this.target.port,
      forceIPv4: true,
      readyTimeout: this.limits.connectMs,
      algorithms: offeredAlgorithms(hostKeyOrder({ knownTypes, isLegacy }), isLegacy),
      // Nothing is signed in to before the answer.
      hostVerifier: (key: Buffer, verify: (isAccepted: boolean) => void) => {
        const fingerprint = fingerprintOf(key);
        this.hostKey = fingerprint;
        const refuse = (error: unknown) => {
          this.fail(error);
          verify(false);
        };
        this.trust
          .accept({ type: keyTypeOf(key), fingerprint })
          .then((isAccepted) => (isAccepted ? verify(true) : refuse(new SshRefusal('HOST_KEY_CHANGED'))))
          .catch(refuse);
      },
    });
    return this.within(ready);
  }

  /**
   * Starts a shell, waits until it says the marker, and only then sends the script: a menu that starts in place of
   * a shell receives nothing that it could take for a choice. Undefined if the command ended without the marker.
   */
  async runScript({ command, script }: ShellStart, marker: string): Promise<string | undefined> {
    const { output: maxOutput, banner: maxBanner, shellMs } = this.limits;
    // What the shell calculates does not occur in the command, which a menu may repeat in an error.
    const hello = `${marker}-42`;
    const stream = await this.within(
      new Promise<ClientChannel>((resolve, reject) => {
        this.client.exec(command, (error, channel) =>
          error ? reject(new SshRefusal('NOT_A_SHELL')) : resolve(channel),
        );
      }),
    );
    const chunks: Buffer[] = [];
    let size = 0;
    let started = false;
    const shellTimer = setTimeout(() => this.fail(new SshRefusal('NOT_A_SHELL')), shellMs);
    // Its output is not read, but it must not fill the window.
    stream.stderr.resume();
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxOutput) return this.fail(new SshRefusal('TOO_MUCH_OUTPUT'));
      if (started) return;
      if (Buffer.concat(chunks).includes(hello)) {
        started = true;
        clearTimeout(shellTimer);
        stream.end(script);
      } else if (size > maxBanner) this.fail(new SshRefusal('NOT_A_SHELL'));
    });
    const ended = new Promise<void>((resolve) => stream.once('close', () => resolve()));
    try {
      await this.within(ended);
    } finally {
      clearTimeout(shellTimer);
    }
    return started ? Buffer.concat(chunks).toString('utf8') : undefined;
  }

  close(): void {
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.onAbort);
    this.client.destroy();
  }

  private readonly onAbort = () => {
    this.fail(this.signal.reason);
    this.client.destroy();
  };

  private within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.failed]);
  }
}

function codeOf(error: unknown): string {
  if (error instanceof SshRefusal) return error.code;
  const { level, code } = error as { level?: string; code?: string };
  if (level === 'client-authentication') return 'SIGN_IN_FAILED';
  if (level === 'client-timeout') return 'TIMEOUT';
  if (hasNoCommonAlgorithm(error)) return 'NO_COMMON_ALGORITHM';
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'UNREACHABLE';
  if (code === 'ETIMEDOUT') return 'TIMEOUT';
  return 'CONNECTION_CLOSED';
}
