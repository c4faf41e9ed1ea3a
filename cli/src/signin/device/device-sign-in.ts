// Sign-in on a machine without a browser: the user enters a code in a browser elsewhere (RFC 8628).

import { Problem } from '@yagura/core/http/problem';
import { callStandalone } from '@yagura/core/standalone-calls';
import { initiateDeviceAuthorization, ResponseBodyError } from 'openid-client';
import { CancelledError } from '../../command-line/report-error.ts';
import { networkErrorText } from '../../terminal/network-error-text.ts';
import { printMessage, type Terminal } from '../../terminal/terminal.ts';
import { discoverProvider, toCredential } from '../discover-provider.ts';
import { anonymousTransport } from '../origin.ts';
import type { Credential } from '../profiles.ts';
import { pollDeviceGrant } from './poll-device-grant.ts';

interface ClientInfo {
  issuer: string;
  cliClientId: string;
}

/**
 * Shows the URL and the code, and polls the provider at its interval until the request is decided or expired.
 */
export async function deviceSignIn(terminal: Terminal, origin: string): Promise<Credential> {
  const { t, signal } = terminal;
  const { issuer, cliClientId } = (await callStandalone(anonymousTransport(terminal, origin), 'client-info', {
    params: { identityProvider: 'oidc' },
    signal,
  })) as ClientInfo;
  const configuration = await discoverProvider(terminal, issuer, cliClientId);
  if (!configuration.serverMetadata().device_authorization_endpoint)
    throw new Problem('sign-in-required', { detail: t('cli.login.no-device') });
  let deadline: AbortSignal | undefined;
  try {
    const deviceAuthorization = await initiateDeviceAuthorization(configuration, {
      scope: 'openid profile email offline_access',
    });
    printMessage(terminal, t('cli.login.device-open'));
    printMessage(
      terminal,
      deviceAuthorization.verification_uri_complete ?? deviceAuthorization.verification_uri,
    );
    printMessage(
      terminal,
      t('cli.login.device-code', { code: terminal.err.paint('bold', deviceAuthorization.user_code) }),
    );
    const minutes = Math.ceil(deviceAuthorization.expires_in / 60);
    printMessage(terminal, t('cli.login.waiting', { minutes }));
    deadline = AbortSignal.timeout(deviceAuthorization.expires_in * 1000);
    const signals = AbortSignal.any([signal, deadline]);
    const tokens = await pollDeviceGrant(configuration, deviceAuthorization, signals);
    return toCredential(issuer, cliClientId, tokens);
  } catch (cause) {
    if (signal.aborted) throw new CancelledError('cli.cancelled');
    const detail = deadline?.aborted ? t('cli.login.device-late') : refusalMessage(terminal, cause);
    throw new Problem('sign-in-required', { detail, cause });
  }
}

function refusalMessage({ t }: Terminal, cause: unknown): string {
  if (!(cause instanceof ResponseBodyError))
    return t('cli.login.refused', { reason: networkErrorText(cause as Error, t) });
  if (cause.error === 'expired_token') return t('cli.login.device-late');
  if (cause.error === 'access_denied') return t('cli.login.device-refused');
  return t('cli.login.refused', { reason: cause.error_description ?? cause.error });
}
