import { tokenRevocation } from 'openid-client';
import type { Terminal } from '../terminal/terminal.ts';
import { discoverProvider } from './discover-provider.ts';
import type { Credential } from './profiles.ts';

/** Revokes the sign-in at the provider. An unreachable provider does not prevent signing out locally. */
export async function revokeRefreshToken(
  terminal: Terminal,
  credential: Extract<Credential, { kind: 'person' }>,
): Promise<void> {
  if (!credential.refreshToken) return;
  try {
    await tokenRevocation(
      await discoverProvider(terminal, credential.issuer, credential.clientId),
      credential.refreshToken,
      {
        token_type_hint: 'refresh_token',
      },
    );
  } catch {
    // The credential is deleted either way; the token will expire.
  }
}
