// Sign-in of a person: authorization code with PKCE (RFC 7636) over a listener on the loopback address (RFC 8252).
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callFixed } from '@yagura/core/http/fixed-calls';
import { Problem } from '@yagura/core/http/problem';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { quickFetch } from '../http/quick-fetch.ts';
import { Cancelled } from '../term/failure.ts';
import { say, type Terminal } from '../term/terminal.ts';
import type { Credential } from './profiles.ts';
import { credentialOf, provider } from './provider.ts';

const waitMinutes = 5;

interface ClientInfo {
  issuer: string;
  cliClientId: string;
}

/** Sends the person to the provider and waits for the browser to come back with a code. */
export async function browserSignIn(
  terminal: Terminal,
  origin: string,
  browser: boolean,
): Promise<Credential> {
  const { t } = terminal;
  const data = (await callFixed({ origin, fetch: quickFetch }, 'client-info', {
    params: { identityProvider: 'oidc' },
    signal: terminal.signal,
  })) as ClientInfo;
  const configuration = await provider(data.issuer, data.cliClientId);
  const verifier = randomPKCECodeVerifier();
  const state = randomState();
  const listener = await listen(terminal, state);
  try {
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: listener.redirect,
      scope: 'openid profile email offline_access',
      prompt: 'consent',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });
    say(terminal, t('cli.login.open'));
    say(terminal, address.href);
    if (browser) await (await import('../term/open-browser.ts')).openBrowser(address.href);
    const back = await listener.answer;
    return credentialOf(
      data.issuer,
      data.cliClientId,
      await exchange(terminal, configuration, back, verifier, state),
    );
  } finally {
    listener.close();
  }
}

async function exchange(
  terminal: Terminal,
  configuration: Configuration,
  back: URL,
  pkceCodeVerifier: string,
  expectedState: string,
) {
  try {
    return await authorizationCodeGrant(configuration, back, { pkceCodeVerifier, expectedState });
  } catch (cause) {
    const { error_description: description, message } = cause as Error & { error_description?: string };
    const detail = terminal.t('cli.login.refused', { reason: description ?? message });
    throw new Problem('sign-in-required', { detail, cause });
  }
}

interface Listener {
  redirect: string;
  /** The URL with which the browser came back. */
  answer: Promise<URL>;
  close(): void;
}

/** Listens for the browser. Whoever comes without our state was not sent by us, and is not heard. */
async function listen(terminal: Terminal, state: string): Promise<Listener> {
  const { t, signal } = terminal;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const answer = new Promise<URL>((resolve, reject) => {
    const late = setTimeout(
      () =>
        reject(new Problem('sign-in-required', { detail: t('cli.login.late', { minutes: waitMinutes }) })),
      waitMinutes * 60_000,
    );
    late.unref();
    signal.addEventListener('abort', () => reject(new Cancelled('cli.cancelled')), { once: true });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(request.url ?? '/', redirect);
      const wanted =
        request.method === 'GET' && url.pathname === '/callback' && url.searchParams.get('state') === state;
      if (!wanted) {
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
  // The listener may be closed before anybody waits for the answer.
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
