// Browser sign-in: authorization code with PKCE (RFC 7636) and a loopback redirect (RFC 8252).
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '@yagura/core/http/problem';
import { callStandalone } from '@yagura/core/standalone-calls';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { CancelledError } from '../command-line/report-error.ts';
import { networkErrorText } from '../terminal/network-error-text.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { discoverProvider, toCredential } from './discover-provider.ts';
import { anonymousTransport } from './origin.ts';
import type { Credential } from './profiles.ts';

const defaultTimeoutMs = 5 * 60_000;

interface ClientInfo {
  issuer: string;
  cliClientId: string;
}

/** Opens the provider's sign-in page and waits for the redirect with the code, at most for the timeout. */
export async function browserSignIn(
  terminal: Terminal,
  origin: string,
  browser: boolean,
  timeoutMs = defaultTimeoutMs,
): Promise<Credential> {
  const { t } = terminal;
  const minutes = Math.ceil(timeoutMs / 60_000);
  const data = (await callStandalone(anonymousTransport(terminal, origin), 'client-info', {
    params: { identityProvider: 'oidc' },
    signal: terminal.signal,
  })) as ClientInfo;
  const configuration = await discoverProvider(terminal, data.issuer, data.cliClientId);
  const verifier = randomPKCECodeVerifier();
  const state = randomState();
  const listener = await listenForCallback(terminal, state, timeoutMs);
  try {
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: listener.redirect,
      scope: 'openid profile email offline_access',
      prompt: 'consent',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });
    printMessage(terminal, t('cli.login.open'));
    printMessage(terminal, address.href);
    printMessage(terminal, t('cli.login.waiting', { minutes }));
    if (browser) await (await import('../terminal/open-browser.ts')).openBrowser(address.href);
    const callbackUrl = await listener.answer;
    return toCredential(
      data.issuer,
      data.cliClientId,
      await exchangeCode(terminal, configuration, callbackUrl, verifier, state),
    );
  } finally {
    listener.close();
  }
}

async function exchangeCode(
  terminal: Terminal,
  configuration: Configuration,
  callbackUrl: URL,
  pkceCodeVerifier: string,
  expectedState: string,
) {
  try {
    return await authorizationCodeGrant(configuration, callbackUrl, { pkceCodeVerifier, expectedState });
  } catch (cause) {
    const refusal = cause as Error & { error?: string; error_description?: string };
    const { error, error_description: description } = refusal;
    const detail =
      error === 'access_denied' && !description
        ? terminal.t('cli.login.device-refused')
        : terminal.t('cli.login.refused', { reason: description ?? networkErrorText(refusal, terminal.t) });
    throw new Problem('sign-in-required', { detail, cause });
  }
}

interface CallbackListener {
  redirect: string;
  /** The redirect URL requested by the browser. */
  answer: Promise<URL>;
  close(): void;
}

/** Listens on the loopback address for the redirect. Requests without the expected state are ignored. */
async function listenForCallback(
  terminal: Terminal,
  state: string,
  timeoutMs: number,
): Promise<CallbackListener> {
  const { t, signal } = terminal;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const answer = new Promise<URL>((resolve, reject) => {
    const timer = setTimeout(() => {
      const minutes = Math.ceil(timeoutMs / 60_000);
      reject(new Problem('sign-in-required', { detail: t('cli.login.late', { minutes }) }));
    }, timeoutMs);
    timer.unref();
    signal.addEventListener('abort', () => reject(new CancelledError('cli.cancelled')), { once: true });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(request.url ?? '/', redirect);
      const isCallback =
        request.method === 'GET' && url.pathname === '/callback' && url.searchParams.get('state') === state;
      if (!isCallback) {
        response.writeHead(404, { connection: 'close' }).end();
        return;
      }
      const word = url.searchParams.has('code') ? 'cli.login.page' : 'cli.login.page-failed';
      response
        .writeHead(200, {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'",
          connection: 'close',
        })
        .end(`${t(word)}\n`);
      resolve(url);
    });
  });
  // The listener may be closed before anything awaits the result.
  answer.catch(() => undefined);
  return {
    redirect,
    answer,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
