// `doctor`: checks the way to the server (address, certificate, clock, token) and what each credential opened last.
import { randomBytes } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect } from 'node:tls';
import { gatewayPath } from '@yagura/core/greac/stream/frame';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { agentPath } from '@yagura/core/ksocket/agent-protocol';
import { withoutBrackets } from '@yagura/core/validation/ip';
import { AgentError } from '../agent-error.ts';
import { reasonOf } from '../log.ts';
import { readCredentials } from '../settings/credential-files.ts';
import { readKrokerFile, readSettings, readToken, type Settings } from '../settings/settings.ts';
import { readCredentialUses } from '../state/credential-uses.ts';
import { type SettingsOption, settingsPath } from './settings-path.ts';
import type { Terminal } from './terminal.ts';

interface Finding {
  state: 'good' | 'attention' | 'bad';
  check: 'settings' | 'reach' | 'encryption' | 'certificate' | 'clock' | Role['check'] | 'credential';
  found: string;
  /** What to do; absent if the state is good. */
  remedy?: MessageKey;
}

/** Answered by every server, whatever the state of its database. */
const healthPath = '/healthz';
const timeoutMs = 10_000;
const maxClockSkewMs = 60_000;
const dayMs = 86_400_000;

export async function runDoctor(
  terminal: Terminal,
  options: SettingsOption & { json?: boolean },
): Promise<void> {
  const { t } = terminal;
  const file = settingsPath(terminal, options);
  const settings = await readSettings(file, t);
  const roles = await readRoles(settings);
  const findings: Finding[] = [
    { state: 'good', check: 'settings', found: file },
    ...(await certificateFindings(settings)),
    ...(await serverFindings(settings, roles, terminal.signal)),
    ...(await credentialFindings(settings, t)),
  ];
  if (options.json)
    terminal.print(JSON.stringify(findings.map((one) => ({ ...one, remedy: one.remedy && t(one.remedy) }))));
  else
    for (const { state, check, found, remedy } of findings) {
      terminal.print(`${t(`agent.doctor.${state}`)}\t${t(`agent.doctor.${check}`)}\t${found}`);
      if (remedy) terminal.print(`\t${t(remedy)}`);
    }
  const bad = findings.filter(({ state }) => state === 'bad').length;
  if (bad > 0) throw new AgentError('cli.doctor.bad', { count: bad });
}

interface Role {
  check: 'token' | 'gateway-token';
  path: string;
  token: string;
}

/** Tokens of the roles that are set up, and where each is used. */
async function readRoles(settings: Settings): Promise<Role[]> {
  const roles: Role[] = [];
  const { tokenFile, gateway } = settings;
  if (tokenFile !== undefined)
    roles.push({ check: 'token', path: agentPath, token: await readToken({ tokenFile }) });
  if (gateway) {
    const { token } = await readKrokerFile(settings, gateway.keyFile);
    roles.push({ check: 'gateway-token', path: gatewayPath, token });
  }
  return roles;
}

async function serverFindings(
  { url }: Settings,
  roles: readonly Role[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const startedAt = performance.now();
  try {
    const response = await fetch(`${url}${healthPath}`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    const reach: Finding = response.ok
      ? { state: 'good', check: 'reach', found: `${Math.round(performance.now() - startedAt)} ms` }
      : badAnswer('reach', response.status);
    const findings = [reach, clockFinding(response.headers.get('date'), Date.now())];
    for (const { check, path, token } of roles)
      findings.push(tokenFinding(check, await offerToken(`${url}${path}`, token)));
    return findings;
  } catch (error) {
    signal.throwIfAborted();
    const { cause } = error as { cause?: unknown };
    return [
      {
        state: 'bad',
        check: 'reach',
        found: `${url}: ${reasonOf(cause ?? error)}`,
        remedy: 'agent.doctor.reach-remedy',
      },
    ];
  }
}

/** What each file opened and where it was refused last; a file that is only refused needs attention. */
async function credentialFindings({ credentials, stateFolder }: Settings, t: Translate): Promise<Finding[]> {
  if (credentials === undefined) return [];
  const uses = await readCredentialUses(stateFolder);
  const files = await readCredentials(credentials, t).catch((error) => {
    if (error instanceof AgentError) return error;
    throw error;
  });
  if (files instanceof AgentError)
    return [
      {
        state: 'bad',
        check: 'credential',
        found: t(files.messageKey, files.params),
        remedy: 'agent.doctor.credential-check',
      },
    ];
  return files.map(({ file }): Finding => {
    const { opened = 0, lastOpened, refused = 0, lastRefused } = uses[file] ?? {};
    const told = [
      file,
      lastOpened && t('agent.doctor.credential-opened', { count: opened, ...lastOpened }),
      lastRefused && t('agent.doctor.credential-refused', { count: refused, ...lastRefused }),
      !lastOpened && !lastRefused && t('agent.doctor.credential-unused'),
    ];
    const found = told.filter(Boolean).join('\t');
    return lastRefused && !lastOpened
      ? { state: 'attention', check: 'credential', found, remedy: 'agent.doctor.credential-remedy' }
      : { state: 'good', check: 'credential', found };
  });
}

/**
 * Status of a WebSocket handshake in a version that no server speaks: the token is checked before the version, and no
 * connection is opened that would replace the one of a running agent.
 */
function offerToken(url: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      headers: {
        authorization: `Bearer ${token}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        'sec-websocket-version': '0',
      },
      timeout: timeoutMs,
    });
    const end = (status: number) => {
      request.destroy();
      resolve(status);
    };
    request.once('response', ({ statusCode }) => end(statusCode ?? 0));
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      end(101);
    });
    request.once('timeout', () => request.destroy(new Error('TIMEOUT')));
    request.once('error', reject);
    request.end();
  });
}

/** A server that accepts the token answers that it does not speak the version. */
function tokenFinding(check: Role['check'], status: number): Finding {
  return status === 400 || status === 426 ? { state: 'good', check, found: '' } : badAnswer(check, status);
}

function badAnswer(check: Finding['check'], status: number): Finding {
  const remedies: Record<number, MessageKey> = {
    401: 'agent.doctor.token-remedy',
    403: 'agent.doctor.blocked-remedy',
    404: 'agent.doctor.server-remedy',
  };
  const isRedirect = status >= 300 && status < 400;
  const other = isRedirect ? 'agent.doctor.redirect-remedy' : 'agent.doctor.answer-remedy';
  return { state: 'bad', check, found: `HTTP ${status}`, remedy: remedies[status] ?? other };
}

export function clockFinding(date: string | null, now: number): Finding {
  const skewMs = date === null ? 0 : now - Date.parse(date);
  const isOff = Math.abs(skewMs) > maxClockSkewMs;
  return {
    state: isOff ? 'bad' : 'good',
    check: 'clock',
    found: `${skewMs >= 0 ? '+' : ''}${Math.round(skewMs / 1000)} s`,
    ...(isOff ? { remedy: 'agent.doctor.clock-remedy' } : {}),
  };
}

/** Whether the connection is encrypted, and until when the certificate is valid. */
async function certificateFindings({ url }: Settings): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === 'http:') {
    const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
    return isLocal
      ? []
      : [{ state: 'attention', check: 'encryption', found: url, remedy: 'agent.doctor.encryption-remedy' }];
  }
  return new Promise((resolve) => {
    const host = withoutBrackets(hostname);
    const socket = connect({ host, port: Number(port || 443), servername: host, rejectUnauthorized: false });
    const end = (findings: Finding[]) => {
      socket.destroy();
      resolve(findings);
    };
    // An unreachable server is reported by the next check.
    socket.setTimeout(timeoutMs, () => end([]));
    socket.once('error', () => end([]));
    socket.once('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to);
      const found = Number.isNaN(until) ? '-' : new Date(until).toISOString();
      if (!socket.authorized) {
        const reason = String(socket.authorizationError);
        end([{ state: 'bad', check: 'certificate', found: reason, remedy: 'cli.doctor.trust-remedy' }]);
      } else if (until - Date.now() < 14 * dayMs)
        end([{ state: 'attention', check: 'certificate', found, remedy: 'cli.doctor.certificate-remedy' }]);
      else end([{ state: 'good', check: 'certificate', found }]);
    });
  });
}
