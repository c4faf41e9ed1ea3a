// Runs the PowerShell script on a Windows host by WS-Management: https with Basic authentication only.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect, type TLSSocket } from 'node:tls';
import { fingerprintOf } from '../../fingerprint.ts';
import type { HostKey } from '../../state/known-hosts.ts';
import type { Attempt } from '../credential-health.ts';
import { endSection, splitSections } from '../ssh/ssh-script.ts';
import { powerShellArguments, powerShellScript } from './powershell-script.ts';
import { WsmanAnswer, wsmanMessages } from './wsman-messages.ts';

export interface WsmanTarget {
  address: string;
  port: number;
  username: string;
  password: string;
}

export const wsmanLimits = {
  /** Milliseconds for a connection with its TLS handshake. */
  connectMs: 10_000,
  /** Milliseconds for the answer to one message. */
  answerMs: 20_000,
  /** Milliseconds for everything. */
  totalMs: 90_000,
  /** Bytes of one answer, and of the output of the script. */
  answer: 1024 * 1024,
  output: 32 * 1024 * 1024,
  /** Answers with output of the script. */
  answers: 1000,
};

class WsmanRefusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Signs in and runs the script. Rejects only when the signal aborts. */
export async function runWsmanScript(
  target: WsmanTarget,
  signal: AbortSignal,
  accept: (key: HostKey) => Promise<boolean> = async () => true,
  limits: typeof wsmanLimits = wsmanLimits,
): Promise<Attempt<Map<string, string>>> {
  const timeout = AbortSignal.timeout(limits.totalMs);
  const session = new WsmanSession(target, AbortSignal.any([signal, timeout]), accept, limits);
  try {
    return { value: await session.run() };
  } catch (error) {
    signal.throwIfAborted();
    return { code: timeout.aborted ? 'TIMEOUT' : codeOf(error) };
  }
}

class WsmanSession {
  private readonly target: WsmanTarget;
  private readonly signal: AbortSignal;
  private readonly accept: (key: HostKey) => Promise<boolean>;
  private readonly limits: typeof wsmanLimits;
  private readonly url: string;
  /** Of the certificate that was accepted; each connection must have it. */
  private fingerprint: string | undefined;

  constructor(
    target: WsmanTarget,
    signal: AbortSignal,
    accept: (key: HostKey) => Promise<boolean>,
    limits: typeof wsmanLimits,
  ) {
    this.target = target;
    this.signal = signal;
    this.accept = accept;
    this.limits = limits;
    this.url = `https://${target.address}:${target.port}/wsman`;
  }

  async run(): Promise<Map<string, string>> {
    await this.checkMethod();
    const created = await this.exchange(wsmanMessages.create(this.url));
    const { shellId } = created;
    if (shellId === undefined) throw new WsmanRefusal('WINRM_FAULT');
    try {
      return await this.runIn(shellId);
    } finally {
      // The host would keep the shell until it has been idle for some time.
      await this.exchange(wsmanMessages.remove(this.url, shellId)).catch(() => undefined);
    }
  }

  private async runIn(shellId: string): Promise<Map<string, string>> {
    const marker = randomBytes(16).toString('hex');
    const { url } = this;
    const start = wsmanMessages.command(url, shellId, 'powershell.exe', powerShellArguments(marker));
    const { commandId } = await this.exchange(start);
    if (commandId === undefined) throw new WsmanRefusal('WINRM_FAULT');
    await this.exchange(wsmanMessages.send(url, shellId, commandId, powerShellScript(marker, endSection)));
    const chunks: Buffer[] = [];
    let size = 0;
    for (let received = 0; ; received++) {
      // A host waits for output by itself before it answers without any.
      if (received >= this.limits.answers) throw new WsmanRefusal('TIMEOUT');
      const answer = await this.exchange(wsmanMessages.receive(url, shellId, commandId));
      const { output } = answer;
      size += output.length;
      if (size > this.limits.output) throw new WsmanRefusal('TOO_MUCH_OUTPUT');
      chunks.push(output);
      if (answer.isDone) break;
    }
    const text = Buffer.concat(chunks).toString('utf8');
    if (!text.includes(`${marker}-42`)) throw new WsmanRefusal('NOT_A_SHELL');
    const sections = splitSections(text, marker);
    if (!sections.has(endSection)) throw new WsmanRefusal('CONNECTION_CLOSED');
    return sections;
  }

  /** Asks for the methods of authentication first, so that no password is sent where it is of no use. */
  private async checkMethod(): Promise<void> {
    const { status, methods } = await this.post('', undefined);
    if (status === 401 && !methods.some((one) => /(^|,) *basic\b/i.test(one)))
      throw new WsmanRefusal('SIGN_IN_METHOD_UNSUPPORTED');
    if (status === 404) throw new WsmanRefusal('WINRM_FAULT');
  }

  private async exchange(message: string): Promise<WsmanAnswer> {
    const { username, password } = this.target;
    const basic = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
    const { status, text } = await this.post(message, `Basic ${basic}`);
    if (status === 401) throw new WsmanRefusal('SIGN_IN_FAILED');
    let answer: WsmanAnswer;
    try {
      answer = new WsmanAnswer(text);
    } catch {
      throw new WsmanRefusal('WINRM_FAULT');
    }
    if (status !== 200 && !answer.isTimeout) throw new WsmanRefusal('WINRM_FAULT');
    return answer;
  }

  private async post(
    body: string,
    authorization: string | undefined,
  ): Promise<{ status: number; methods: string[]; text: string }> {
    const socket = await this.connect();
    try {
      return await new Promise((resolve, reject) => {
        const { address, port } = this.target;
        const sent = request({
          ...{ method: 'POST', path: '/wsman', signal: this.signal },
          createConnection: () => socket,
          headers: {
            host: `${address}:${port}`,
            'content-type': 'application/soap+xml;charset=UTF-8',
            'content-length': Buffer.byteLength(body),
            connection: 'close',
            ...(authorization === undefined ? {} : { authorization }),
          },
        });
        sent.setTimeout(this.limits.answerMs, () => sent.destroy(new WsmanRefusal('TIMEOUT')));
        sent.once('error', reject);
        // After a change of the protocol, which is no response, nothing else tells that it is over.
        const onClose = () => reject(new WsmanRefusal('CONNECTION_CLOSED'));
        sent.once('close', onClose);
        sent.once('response', (response) => {
          sent.off('close', onClose);
          const chunks: Buffer[] = [];
          let size = 0;
          response.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size > this.limits.answer) response.destroy(new WsmanRefusal('TOO_MUCH_OUTPUT'));
            else chunks.push(chunk);
          });
          response.once('error', reject);
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              methods: valuesOf(response.rawHeaders, 'www-authenticate'),
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          );
        });
        sent.end(body);
      });
    } finally {
      socket.destroy();
    }
  }

  /** Nothing is sent on the connection before its certificate was accepted. */
  private async connect(): Promise<TLSSocket> {
    this.signal.throwIfAborted();
    const { address, port } = this.target;
    // Certificates of WinRM are signed by the host itself or by a domain; the known one is compared below.
    const socket = connect({ host: address, port, rejectUnauthorized: false });
    try {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => reject(this.signal.reason);
        this.signal.addEventListener('abort', onAbort, { once: true });
        socket.setTimeout(this.limits.connectMs, () => reject(new WsmanRefusal('TIMEOUT')));
        socket.once('error', reject);
        socket.once('close', () => {
          this.signal.removeEventListener('abort', onAbort);
          reject(new WsmanRefusal('CONNECTION_CLOSED'));
        });
        socket.once('secureConnect', () => {
          this.signal.removeEventListener('abort', onAbort);
          resolve();
        });
      });
      socket.setTimeout(0);
      const fingerprint = fingerprintOf(socket.getPeerCertificate().raw);
      if (this.fingerprint === undefined && (await this.accept({ type: 'x509', fingerprint })))
        this.fingerprint = fingerprint;
      if (this.fingerprint !== fingerprint) throw new WsmanRefusal('HOST_KEY_CHANGED');
      return socket;
    } catch (error) {
      // Errors after this one are of no interest.
      socket.on('error', () => undefined);
      socket.destroy();
      throw error;
    }
  }
}

/** The values of a header that may occur several times; Node.js joins those of this one. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function codeOf(error: unknown): string {
  if (error instanceof WsmanRefusal) return error.code;
  const { code } = error as { code?: string };
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'UNREACHABLE';
  return code === 'ETIMEDOUT' ? 'TIMEOUT' : 'CONNECTION_CLOSED';
}
