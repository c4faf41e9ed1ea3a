// Access tokens of the embedded provider, verified in this process.
import { jwtVerify } from 'jose';
import type { IdentityContext } from '../identity-context.ts';
import type { SigningKeys } from './signing-keys.ts';
import { InvalidToken, type TokenIssuer } from './token-issuer.ts';

export const webClientId = 'yagura-web';
export const cliClientId = 'yagura-cli';

export const issuerOf = (publicUrl: string) => `${publicUrl}/oidc`;
/** The audience of access tokens and the resource (RFC 8707) that they are for. */
export const audienceOf = (publicUrl: string) => `${publicUrl}/api`;

/** Claims that the embedded provider puts into access tokens beside the standard ones. */
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
          algorithms: ['ES256'],
          typ: 'at+jwt',
          issuer: issuerOf(publicUrl),
          audience: audienceOf(publicUrl),
          requiredClaims: ['sub', 'exp', 'iat', 'jti'],
          currentDate: new Date(clock.now()),
          clockTolerance: 5,
        },
      ).catch((error: Error & { code?: unknown }) => {
        // jose marks its own errors; anything else is a failure of ours, not of the token.
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
