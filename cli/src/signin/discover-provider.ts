// OAuth client of the space's identity provider.
import { Problem } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/i18n/translator';
import {
  allowInsecureRequests,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  None,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import { proxyOf } from '../http/proxy.ts';
import { networkErrorText } from '../terminal/network-error-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { userAgent } from '../version.ts';
import type { Credential } from './profiles.ts';

/** The client, all of whose requests are ended by an interruption. */
export async function discoverProvider(
  { t, signal }: Pick<Terminal, 't' | 'signal'>,
  issuer: string,
  clientId: string,
): Promise<Configuration> {
  const address = new URL(issuer);
  const execute = address.protocol === 'http:' ? [allowInsecureRequests] : [];
  try {
    return await discovery(address, clientId, undefined, None(), {
      execute,
      timeout: 30,
      [customFetch]: providerFetch(signal),
    });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw providerFailure(t, issuer, cause);
  }
}

/** Keeps the requests that follow from being ended by an interruption; see `renewCredential`. */
export function ignoreInterruptions(configuration: Configuration): void {
  configuration[customFetch] = providerFetch();
}

/** The library's own fetch ignores proxies. */
function providerFetch(interruption?: AbortSignal): CustomFetch {
  return async (url, options) => {
    const signals = [options.signal, interruption].filter((signal) => signal !== undefined);
    const headers = { ...options.headers, 'user-agent': userAgent };
    const init = { ...options, headers, signal: AbortSignal.any(signals) } as RequestInit;
    const proxy = proxyOf(new URL(url), process.env);
    return proxy ? (await import('../http/proxy-fetch.ts')).fetchThrough(proxy, url, init) : fetch(url, init);
  };
}

/** Problem 'unreachable' that names the provider; a problem is kept as it is. */
export function providerFailure(t: Translate, issuer: string, cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  return new Problem('unreachable', { detail: `${issuer}: ${networkErrorText(cause as Error, t)}`, cause });
}

/** Converts a token response to a credential; without a new refresh token the old one is kept. */
export function toCredential(
  issuer: string,
  clientId: string,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
  refreshToken?: string,
): Extract<Credential, { kind: 'person' }> {
  return {
    kind: 'person',
    issuer,
    clientId,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? refreshToken,
    expiresAt: Date.now() + (tokens.expiresIn() ?? 300) * 1000,
  };
}
