// Fresh access tokens. Refresh tokens are used once, so of many processes only one may use it and the others take its result.
import { Problem } from '@yagura/core/http/problem';
import { ResponseBodyError, refreshTokenGrant } from 'openid-client';
import { keepProfiles } from './keep-profiles.ts';
import type { Credential } from './profiles.ts';
import { credentialOf, provider } from './provider.ts';

type Person = Extract<Credential, { kind: 'person' }>;

/** Renews the credential of a profile, unless another process has done so since `worn` was read. */
export async function renewCredential(env: NodeJS.ProcessEnv, name: string, worn: Person): Promise<Person> {
  return keepProfiles(env, async ({ profiles }) => {
    const profile = profiles[name];
    const kept = profile?.credential;
    if (!profile || kept?.kind !== 'person') throw new Problem('sign-in-required');
    if (kept.accessToken !== worn.accessToken) return kept;
    if (!kept.refreshToken) throw new Problem('sign-in-required');
    try {
      const tokens = await refreshTokenGrant(await provider(kept.issuer, kept.clientId), kept.refreshToken);
      const fresh = credentialOf(kept.issuer, kept.clientId, tokens, kept.refreshToken);
      profile.credential = fresh;
      return fresh;
    } catch (cause) {
      if (cause instanceof ResponseBodyError && cause.error === 'invalid_grant') {
        throw new Problem('sign-in-required', { cause });
      }
      throw new Problem('unreachable', { detail: (cause as Error).message, cause });
    }
  });
}
