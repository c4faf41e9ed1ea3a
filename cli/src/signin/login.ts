// `login`: signs in with an API token from stdin or a hidden prompt, or in the browser.
import { Problem } from '@yagura/core/http/problem';
import { send } from '@yagura/core/http/transport';
import { promptHidden } from '../command-line/prompt.ts';
import { readFileOrStdin } from '../command-line/read-file-or-stdin.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { anonymousTransport, isPlainHttp, parseOrigin } from './origin.ts';
import { type Credential, isTokenText, readProfiles } from './profiles.ts';

export interface LoginOptions {
  token?: string | true;
  browser?: boolean;
  /** Sign in with a code entered in a browser on another machine. */
  device?: boolean;
}

export async function login(
  terminal: Terminal,
  address: string | undefined,
  options: LoginOptions,
): Promise<void> {
  const { t, env } = terminal;
  const stored = readProfiles(env);
  const name =
    terminal.profile ?? env.YAGURA_PROFILE ?? (address ? 'default' : (stored.current ?? 'default'));
  const urlOrOrigin = address ?? env.YAGURA_URL ?? stored.profiles[name]?.url;
  if (!urlOrOrigin) throw new UsageError('cli.usage.login-url');
  const origin = parseOrigin(urlOrOrigin);
  if (isPlainHttp(origin))
    printMessage(terminal, terminal.err.paint('warning', t('cli.bare-http', { origin })));
  if (options.token && options.device) throw new UsageError('cli.usage.token-or-device');
  // Whoever asks for the URL or the code can open it elsewhere.
  if (!terminal.canPrompt && !options.token && !options.device && options.browser !== false)
    throw new UsageError('cli.usage.login-terminal');
  const credential = await credentialFor(terminal, origin, options);
  await (await import('./update-profiles.ts')).updateProfiles(terminal, (profiles) => {
    profiles.profiles[name] = { url: origin, credential };
    profiles.current = name;
  });
  printMessage(terminal, terminal.err.paint('success', t('cli.login.done', { origin, profile: name })));
}

async function credentialFor(terminal: Terminal, origin: string, options: LoginOptions): Promise<Credential> {
  if (options.token) return tokenCredential(terminal, origin, options.token);
  if (options.device) return (await import('./device/device-sign-in.ts')).deviceSignIn(terminal, origin);
  return (await import('./browser-sign-in.ts')).browserSignIn(terminal, origin, options.browser !== false);
}

async function tokenCredential(
  terminal: Terminal,
  origin: string,
  option: string | true,
): Promise<Credential> {
  if (option !== true && option !== '-') throw new UsageError('cli.usage.token-value');
  const token = (await readToken(terminal, option === '-')).trim();
  if (!isTokenText(token)) throw new UsageError('cli.usage.token');
  await checkToken(terminal, origin, token);
  return { kind: 'token', token };
}

async function readToken(terminal: Terminal, fromStdin: boolean): Promise<string> {
  if (!terminal.stdin.isTTY) return readFileOrStdin('-', terminal, '--token');
  if (fromStdin || terminal.canPrompt) return promptHidden(terminal, terminal.t('cli.login.ask-token'));
  throw new UsageError('cli.usage.token-stdin');
}

/**
 * Fails for a token that the space does not know (401); a token without permission to read the space (403) is
 * valid.
 */
async function checkToken(terminal: Terminal, origin: string, token: string): Promise<void> {
  const headers = () => ({ 'x-authorization': `Token ${token}`, 'accept-language': terminal.language });
  try {
    await send(
      { ...anonymousTransport(terminal, origin), headers },
      { method: 'GET', path: '/api/space', signal: terminal.signal },
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.kind === 'sign-in-required') {
      const detail = error.detail ?? terminal.t('cli.login.token-refused');
      throw new Problem('sign-in-required', { detail, cause: error });
    }
    if (error.kind !== 'forbidden') throw error;
  }
}
