import { tokenRevocation } from 'openid-client';
import { discoverProvider } from './discover-provider.ts';
import type { Credential } from './profiles.ts';

/** Ends a sign-in at the provider. A provider that cannot be reached does not keep anybody signed in here. */
export async function revokeRefreshToken(credential: Extract<Credential, { kind: 'person' }>): Promise<void> {
  if (!credential.refreshToken) return;
  try {
    await tokenRevocation(
      await discoverProvider(credential.issuer, credential.clientId),
      credential.refreshToken,
      {
        token_type_hint: 'refresh_token',
      },
    );
  } catch {
    // The credential is forgotten either way; the token ends by itself.
  }
}
