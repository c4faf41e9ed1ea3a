// `doctor`: checks settings, connection, TLS, clock and sign-in, and suggests a remedy for each problem.
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '@yagura/core/http/problem';
import { send } from '@yagura/core/http/transport';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { FieldMeta } from '@yagura/core/resource/field';
import { withoutBrackets } from '@yagura/core/validation/ip';
import about from '../package.json' with { type: 'json' };
import type { DataOptions } from './command-line/data-options.ts';
import { CommandError, errorMessages, signInHint } from './command-line/report-error.ts';
import { UsageError } from './command-line/usage-error.ts';
import { quickFetch } from './http/quick-fetch.ts';
import { findLine } from './pigeon/line-finding.ts';
import { isTableFormat, parseOutputFormat } from './resource/output/output-format.ts';
import { writeRows } from './resource/output/write-output.ts';
import { profilesFileName, settingsFolder } from './signin/profiles.ts';
import { openSession, type Session } from './signin/session.ts';
import { networkReasonText } from './terminal/network-error-text.ts';
import type { Terminal } from './terminal/terminal.ts';

interface Finding {
  state: 'good' | 'attention' | 'bad';
  check: 'node' | 'settings' | 'profile' | 'reach' | 'credential' | 'clock' | 'certificate' | 'line';
  found: string;
  /** Message key of the remedy; empty when there is nothing to do. */
  remedy: MessageKey | '';
}

/** Tolerated clock difference in milliseconds before tokens are rejected. */
const maxClockSkewMs = 30_000;
const dayMs = 86_400_000;

const textField: FieldMeta = { kind: 'text', required: true, nullable: false };
const findingFields: Record<string, FieldMeta> = {
  state: {
    ...textField,
    kind: 'choice',
    options: ['good', 'attention', 'bad'],
    tones: { good: 'success', attention: 'warning', bad: 'danger' },
  },
  check: textField,
  found: textField,
  remedy: textField,
};

/** Exits with 1 when a check fails. */
export async function runDoctor(terminal: Terminal, options: DataOptions): Promise<void> {
  const format = parseOutputFormat(options, Object.keys(findingFields));
  const findings = [nodeFinding(), settingsFinding(terminal), ...(await spaceFindings(terminal))];
  const person = isTableFormat(format) && terminal.out.isTTY;
  const rows = findings.map(({ state, check, found, remedy }) => ({
    state,
    check: person ? terminal.t(`cli.doctor.${check}`) : check,
    found,
    remedy: remedy && terminal.t(remedy),
  }));
  const transport = { origin: '', fetch: quickFetch };
  await writeRows(
    terminal,
    rows,
    { fields: findingFields, columns: Object.keys(findingFields) },
    format,
    transport,
  );
  const bad = findings.filter(({ state }) => state === 'bad').length;
  if (bad > 0) throw new CommandError('cli.doctor.bad', { count: bad });
}

function nodeFinding(): Finding {
  const requiredVersion = about.engines.node.replace('>=', '').split('.').map(Number);
  const installedVersion = process.versions.node.split('.').map(Number);
  const old =
    installedVersion[0]! < requiredVersion[0]! ||
    (installedVersion[0] === requiredVersion[0] && installedVersion[1]! < requiredVersion[1]!);
  return {
    state: old ? 'bad' : 'good',
    check: 'node',
    found: `Node.js ${process.versions.node}, yagura ${about.version}`,
    remedy: old ? 'cli.doctor.node-remedy' : '',
  };
}

/**
 * The profiles file must be readable by its owner only. Without a settings folder, everything can come from
 * the environment.
 */
function settingsFinding({ env }: Terminal): Finding {
  const finding = (state: Finding['state'], found: string, remedy: Finding['remedy'] = ''): Finding => ({
    state,
    check: 'settings',
    found,
    remedy,
  });
  const folder = settingsFolder(env);
  if (!folder) return finding('attention', '-', 'cli.usage.no-home');
  const file = join(folder, `${profilesFileName}.json`);
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      return finding('bad', file, 'cli.doctor.settings-open');
    accessSync(file, constants.W_OK);
    return finding('good', file);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return finding(missing ? 'good' : 'attention', file, missing ? '' : 'cli.doctor.settings-closed');
  }
}

async function spaceFindings(terminal: Terminal): Promise<Finding[]> {
  let session: Session;
  try {
    session = openSession(terminal);
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof UsageError)) throw error;
    return [
      {
        state: 'bad',
        check: 'profile',
        found: errorMessages(terminal, error)[0]!,
        remedy: 'cli.sign-in-hint',
      },
    ];
  }
  const { origin, profile, credential } = session;
  const named: Finding = {
    state: 'good',
    check: 'profile',
    found: `${profile ?? '-'}  ${origin}`,
    remedy: '',
  };
  const findings = [named, ...(await tlsFindings(terminal, origin))];
  const startedAt = performance.now();
  try {
    const { headers } = await send(
      { ...session.transport, timeoutMs: 10_000 },
      {
        method: 'GET',
        path: '/api/space',
        signal: terminal.signal,
      },
    );
    findings.push(
      reachableFinding(startedAt),
      clockFinding(terminal, headers.get('date')),
      credentialFinding(terminal, session),
    );
    const line = await findLine(session, terminal.signal);
    if (line) findings.push(line);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [found = ''] = errorMessages(terminal, error);
    if (error.kind === 'unreachable')
      findings.push({ state: 'bad', check: 'reach', found, remedy: 'cli.doctor.reach-remedy' });
    else if (error.kind === 'forbidden' && !error.ipBlocked)
      findings.push(reachableFinding(startedAt), credentialFinding(terminal, session));
    else {
      const remedy = error.kind === 'sign-in-required' ? signInHint(terminal) : 'cli.doctor.refused-remedy';
      findings.push(reachableFinding(startedAt), {
        state: 'bad',
        check: 'credential',
        found: credential ? found : '-',
        remedy,
      });
    }
  }
  return findings;
}

function reachableFinding(startedAt: number): Finding {
  return {
    state: 'good',
    check: 'reach',
    found: `${Math.round(performance.now() - startedAt)} ms`,
    remedy: '',
  };
}

function clockFinding(terminal: Terminal, date: string | null): Finding {
  const skew = date === null ? 0 : terminal.now() - Date.parse(date);
  const off = Math.abs(skew) > maxClockSkewMs;
  return {
    state: off ? 'bad' : 'good',
    check: 'clock',
    found: `${skew >= 0 ? '+' : ''}${Math.round(skew / 1000)} s`,
    remedy: off ? 'cli.doctor.clock-remedy' : '',
  };
}

function credentialFinding(terminal: Terminal, { credential }: Session): Finding {
  if (credential?.kind !== 'person')
    return { state: 'good', check: 'credential', found: 'API token', remedy: '' };
  const renewable = credential.refreshToken !== undefined;
  return {
    state: renewable ? 'good' : 'attention',
    check: 'credential',
    found: new Date(credential.expiresAt).toISOString(),
    remedy: renewable || credential.expiresAt > terminal.now() ? '' : 'cli.sign-in-hint',
  };
}

/** Checks the expiry of the certificate and whether it is trusted here. */
async function tlsFindings(terminal: Terminal, origin: string): Promise<Finding[]> {
  const url = new URL(origin);
  if (url.protocol !== 'https:') return [];
  const { connect } = await import('node:tls');
  return new Promise((resolve) => {
    const host = withoutBrackets(url.hostname);
    const socket = connect({
      host,
      port: Number(url.port || 443),
      servername: host,
      rejectUnauthorized: false,
    });
    const done = (findings: Finding[]) => {
      socket.destroy();
      resolve(findings);
    };
    socket.setTimeout(10_000, () => done([]));
    // An unreachable host is reported by the next check.
    socket.once('error', () => done([]));
    socket.once('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to);
      const left = until - terminal.now();
      const found = Number.isNaN(until) ? '-' : new Date(until).toISOString();
      if (!socket.authorized)
        done([
          {
            state: 'bad',
            check: 'certificate',
            found: networkReasonText(String(socket.authorizationError), terminal.t),
            remedy: 'cli.doctor.trust-remedy',
          },
        ]);
      else if (left < 14 * dayMs)
        done([{ state: 'attention', check: 'certificate', found, remedy: 'cli.doctor.certificate-remedy' }]);
      else done([{ state: 'good', check: 'certificate', found, remedy: '' }]);
    });
  });
}
