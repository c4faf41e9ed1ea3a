// Verifies access tokens of the embedded provider in this process.
import { jwtVerify } from 'jose';
import type { IdentityContext } from '../identity-context.ts';
import { accessTokenAlgorithm, type SigningKeys } from './signing-keys.ts';
import { InvalidToken, type TokenIssuer } from './token-issuer.ts';

export const webClientId = 'yagura-web';
export const cliClientId = 'yagura-cli';

export const issuerOf = (publicUrl: string) => `${publicUrl}/oidc`;
/** Where clients read the claims of the user of an access token. */
export const userInfoOf = (publicUrl: string) => `${issuerOf(publicUrl)}/userinfo`;
/** Audience of access tokens and the resource (RFC 8707) they are valid for. */
export const audienceOf = (publicUrl: string) => `${publicUrl}/api`;

/** Additional claims in the embedded provider's access tokens. */
export interface ExtraTokenClaims {
  space: string;
  epoch: number;
  grant: string;
}

export function createEmbeddedIssuer(context: IdentityContext, keys: SigningKeys): TokenIssuer {
  const { publicUrl, spaceId, clock } = context;
  return {
    issuer: issuerOf(publicUrl),
    clientId: webClientId,
    cliClientId,
    async verify(token) {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = kid === undefined ? null : await keys.verifier(kid);
          if (!key) throw new InvalidToken();
          return key;
        },
        {
          algorithms: [accessTokenAlgorithm],
          typ: 'at+jwt',
          issuer: issuerOf(publicUrl),
          audience: audienceOf(publicUrl),
          requiredClaims: ['sub', 'exp', 'iat', 'jti'],
          currentDate: new Date(clock.now()),
          clockTolerance: 5,
        },
      ).catch((error: Error & { code?: unknown }) => {
        // jose errors have such a code; anything else is an internal failure, not an invalid token.
        if (typeof error.code === 'string' && /^ERR_(JWT|JWS|JOSE)/.test(error.code))
          throw new InvalidToken();
        throw error;
      });
      const { sub, exp, space, epoch, grant } = payload as typeof payload & Partial<ExtraTokenClaims>;
      if (space !== spaceId || typeof epoch !== 'number' || typeof grant !== 'string')
        throw new InvalidToken();
      return { subject: sub!, expiresAt: exp! * 1000, epoch, grantId: grant };
    },
  };
}
