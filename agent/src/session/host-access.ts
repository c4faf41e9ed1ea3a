// Connects one session to its host: judges the endpoint, opens the credential, checks its hosts and the host key.
import { desktopParameters } from '@yagura/core/greac/session-parameters';
import { type KrokerKey, type OpenedCredential, openCredential } from '@yagura/core/kroker/open-credential';
import type { Client, SFTPWrapper } from 'ssh2';
import type { Settings } from '../settings/settings.ts';
import type { LookupName } from '../site/find-target.ts';
import { checkCredentialHosts, connectSocket, type Endpoint, judgeEndpoint } from './connect-socket.ts';
import { FileError } from './files/file-error.ts';
import { RemoteFiles } from './files/remote-files.ts';
import { connectRdp } from './rdp/connect-rdp.ts';
import { openDesktop } from './rdp/rdp-target.ts';
import type { ConnectingSession, OpenOrder } from './remote-session.ts';
import { SessionError } from './session-error.ts';
import { connectSsh, type SshConnection } from './ssh/connect-ssh.ts';
import type { HostKeyFile } from './ssh/host-keys.ts';
import type { HostKeyJudge } from './ssh/judge-host-key.ts';
import { openShell } from './ssh/ssh-target.ts';
import type { Target } from './target.ts';
import { openTelnet } from './telnet/telnet-target.ts';

export interface HostAccessDeps {
  key: KrokerKey;
  policy: Settings['sessions'];
  hostKeys: HostKeyFile;
  /** Whether the site permits outdated ssh algorithms with an address. */
  isLegacySsh(address: string): boolean;
  lookup?: LookupName;
}

export class HostAccess {
  private readonly order: OpenOrder;
  private readonly deps: HostAccessDeps;
  /** The session's own connection. */
  private own: SshConnection | undefined;
  /** A connection for files only. */
  private extra: Client | undefined;
  private files: Promise<RemoteFiles> | undefined;

  constructor(order: OpenOrder, deps: HostAccessDeps) {
    this.order = order;
    this.deps = deps;
  }

  async connect(session: ConnectingSession): Promise<{ target: Target; hostKey?: string }> {
    const { protocol, credential } = this.order;
    if (protocol === 'rdp') return this.connectDesktop(session);
    if (protocol === 'ssh') {
      this.own = await this.connectSsh(this.order, credential, session);
      try {
        const target = await openShell(this.own.client, session.size, session.events);
        return { target, hostKey: this.own.hostKey };
      } catch (error) {
        this.own.client.destroy();
        throw error;
      }
    }
    const address = await judgeEndpoint(this.order, this.deps.policy, this.deps.lookup);
    const opened = credential === null ? null : await this.openCredential(this.order, credential, address);
    if (opened && opened.credentialType !== 'password')
      throw new SessionError('SIGN_IN_FAILED', { reason: 'NO_PASSWORD' });
    const socket = await connectSocket(address, this.order.port, session.signal);
    return { target: openTelnet(socket, session.size, session.events, opened) };
  }

  private async connectDesktop(session: ConnectingSession): Promise<{ target: Target; hostKey?: string }> {
    const { credential, parameters } = this.order;
    const address = await judgeEndpoint(this.order, this.deps.policy, this.deps.lookup);
    const opened = credential === null ? null : await this.openCredential(this.order, credential, address);
    const { serverLayout, displayWidth, displayHeight, ignoreCert, disableCopy, disablePaste } =
      desktopParameters.parse(parameters);
    const connection = await connectRdp({
      ...{ endpoint: this.order, address, credential: opened, ignoresCertificate: ignoreCert },
      judge: this.judge(this.order, session),
      signal: session.signal,
    });
    const settings = { layout: serverLayout, width: displayWidth, height: displayHeight };
    const target = openDesktop(connection, settings, session.events, {
      rules: { mayCopy: !disableCopy, mayPaste: !disablePaste },
      events: session.clipboard,
    });
    return { target, ...(connection.hostKey ? { hostKey: connection.hostKey } : {}) };
  }

  /** Files by the session's connection, or by one of its own if the destination names another host or credential. */
  async openFiles(session: ConnectingSession): Promise<RemoteFiles> {
    const { fileTransfer } = this.order;
    if (!fileTransfer) throw new FileError('NOT_ENABLED');
    this.files ??= this.connectFiles(fileTransfer, session);
    try {
      return await this.files;
    } catch (error) {
      this.files = undefined;
      if (!(error instanceof SessionError)) throw error;
      throw new FileError(error.code === 'NOT_ALLOWED' ? 'NOT_ALLOWED' : 'CONNECTION_FAILED');
    }
  }

  closeFiles(): void {
    this.extra?.destroy();
    this.files = undefined;
  }

  private async connectFiles(
    fileTransfer: NonNullable<OpenOrder['fileTransfer']>,
    session: ConnectingSession,
  ): Promise<RemoteFiles> {
    const { host, port, credential } = this.order;
    const isSame =
      fileTransfer.host === host && fileTransfer.port === port && fileTransfer.credential === credential;
    let client = isSame ? this.own?.client : undefined;
    if (!client) {
      client = (await this.connectSsh(fileTransfer, fileTransfer.credential, session)).client;
      this.extra = client;
    }
    const forget = () => {
      this.files = undefined;
    };
    client.once('close', forget);
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.sftp((error, opened) => {
        if (!error) return resolve(opened);
        // The library has no code for a host that refuses the subsystem.
        const isRefused = error.message.startsWith('Unable to start subsystem');
        reject(new FileError(isRefused ? 'NO_SFTP' : 'CONNECTION_FAILED'));
      });
    });
    sftp.on('close', forget);
    return RemoteFiles.open(sftp, fileTransfer.rootDirectory);
  }

  private async connectSsh(
    endpoint: Endpoint,
    credential: string | null,
    session: ConnectingSession,
  ): Promise<SshConnection> {
    const address = await judgeEndpoint(endpoint, this.deps.policy, this.deps.lookup);
    if (credential === null) throw new SessionError('SIGN_IN_FAILED', { reason: 'NO_CREDENTIAL' });
    const { serverAliveInterval } = this.order.parameters;
    return connectSsh({
      endpoint,
      address,
      credential: await this.openCredential(endpoint, credential, address),
      judge: this.judge(endpoint, session),
      isLegacy: this.deps.isLegacySsh(address),
      serverAliveInterval: typeof serverAliveInterval === 'number' ? serverAliveInterval : 0,
      signal: session.signal,
    });
  }

  private judge(endpoint: Endpoint, session: ConnectingSession): HostKeyJudge {
    const { hostKey: rules, host, port } = this.order;
    const isOwn = endpoint.host === host && endpoint.port === port;
    return {
      endpoint,
      // Pins of the destination belong to its own host.
      rules: isOwn ? rules : { ...rules, pins: [] },
      file: this.deps.hostKeys,
      ask: (key) => session.askHostKey(key),
    };
  }

  private async openCredential(
    endpoint: Endpoint,
    sealed: string,
    address: string,
  ): Promise<OpenedCredential> {
    const opened = await openCredential(sealed, this.deps.key);
    if (!opened) throw new SessionError('CREDENTIAL_UNREADABLE');
    checkCredentialHosts(opened, endpoint, address);
    return opened;
  }
}
