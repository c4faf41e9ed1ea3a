// OAuth client of the space's identity provider.
import { Problem } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/i18n/translator';
import {
  allowInsecureRequests,
  type Configuration,
  discovery,
  None,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import { networkErrorText } from '../terminal/network-error-text.ts';
import type { Credential } from './profiles.ts';

export async function discoverProvider(
  t: Translate,
  issuer: string,
  clientId: string,
): Promise<Configuration> {
  const address = new URL(issuer);
  const execute = address.protocol === 'http:' ? [allowInsecureRequests] : [];
  try {
    return await discovery(address, clientId, undefined, None(), { execute, timeout: 30 });
  } catch (cause) {
    throw providerFailure(t, issuer, cause);
  }
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
