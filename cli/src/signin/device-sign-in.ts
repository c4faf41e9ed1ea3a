// Sign-in of a person on a machine without a browser: a code is entered in a browser elsewhere (RFC 8628).
import { callFixed } from '@yagura/core/http/fixed-calls';
import { Problem } from '@yagura/core/http/problem';
import { initiateDeviceAuthorization, pollDeviceAuthorizationGrant, ResponseBodyError } from 'openid-client';
import { quickFetch } from '../http/quick-fetch.ts';
import { Cancelled } from '../term/failure.ts';
import { say, type Terminal } from '../term/terminal.ts';
import type { Credential } from './profiles.ts';
import { credentialOf, provider } from './provider.ts';

interface ClientInfo {
  issuer: string;
  cliClientId: string;
}

/** Shows the address and the code, and asks the provider at its pace until somebody has decided or the code is old. */
export async function deviceSignIn(terminal: Terminal, origin: string): Promise<Credential> {
  const { t, signal } = terminal;
  const { issuer, cliClientId } = (await callFixed({ origin, fetch: quickFetch }, 'client-info', {
    params: { identityProvider: 'oidc' },
    signal,
  })) as ClientInfo;
  const configuration = await provider(issuer, cliClientId);
  if (!configuration.serverMetadata().device_authorization_endpoint)
    throw new Problem('sign-in-required', { detail: t('cli.login.no-device') });
  try {
    const asked = await initiateDeviceAuthorization(configuration, {
      scope: 'openid profile email offline_access',
    });
    say(terminal, t('cli.login.device-open'));
    say(terminal, asked.verification_uri_complete ?? asked.verification_uri);
    say(terminal, t('cli.login.device-code', { code: terminal.err.paint('bold', asked.user_code) }));
    const tokens = await pollDeviceAuthorizationGrant(configuration, asked, undefined, { signal });
    return credentialOf(issuer, cliClientId, tokens);
  } catch (cause) {
    if (signal.aborted) throw new Cancelled('cli.cancelled');
    throw new Problem('sign-in-required', { detail: reasonOf(terminal, cause), cause });
  }
}

function reasonOf({ t }: Terminal, cause: unknown): string {
  if (!(cause instanceof ResponseBodyError))
    return t('cli.login.refused', { reason: (cause as Error).message });
  if (cause.error === 'expired_token') return t('cli.login.device-late');
  if (cause.error === 'access_denied') return t('cli.login.device-refused');
  return t('cli.login.refused', { reason: cause.error_description ?? cause.error });
}
