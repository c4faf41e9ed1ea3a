// Renews access tokens. Refresh tokens are single-use, so only one process renews and the others use its
// result.
import { Problem } from '@yagura/core/http/problem';
import { ResponseBodyError, refreshTokenGrant } from 'openid-client';
import type { Terminal } from '../terminal/terminal.ts';
import { discoverProvider, ignoreInterruptions, providerFailure, toCredential } from './discover-provider.ts';
import type { Credential } from './profiles.ts';
import { updateProfiles } from './update-profiles.ts';

type UserCredential = Extract<Credential, { kind: 'person' }>;

/** Renews the credential of a profile, unless another process has renewed it since it was read. */
export async function renewCredential(
  terminal: Terminal,
  name: string,
  expired: UserCredential,
): Promise<UserCredential> {
  return updateProfiles(terminal, async ({ profiles }, save) => {
    const profile = profiles[name];
    const stored = profile?.credential;
    if (!profile || stored?.kind !== 'person') throw new Problem('sign-in-required');
    if (stored.accessToken !== expired.accessToken) return stored;
    if (!stored.refreshToken) throw new Problem('sign-in-required');
    // With a full disk, the refresh token would be used up and the next one lost.
    await save();
    try {
      const provider = await discoverProvider(terminal, stored.issuer, stored.clientId);
      // Without its reply, the refresh token could be used up and the next one unknown.
      ignoreInterruptions(provider);
      const tokens = await refreshTokenGrant(provider, stored.refreshToken);
      const renewed = toCredential(stored.issuer, stored.clientId, tokens, stored.refreshToken);
      profile.credential = renewed;
      return renewed;
    } catch (cause) {
      if (cause instanceof ResponseBodyError && cause.error === 'invalid_grant') {
        throw new Problem('sign-in-required', { cause });
      }
      if (terminal.signal.aborted) throw terminal.signal.reason;
      throw providerFailure(terminal.t, stored.issuer, cause);
    }
  });
}
