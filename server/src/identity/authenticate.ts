// Authenticates a request from its headers.
import { isoTime } from '../common/clock.ts';
import type { IdentityContext } from './identity-context.ts';
import { type CallerReference, type Principal, signInRequired } from './principal.ts';
import type { PrincipalCache } from './principal-cache.ts';
import type { ApiTokens } from './tokens/api-tokens.ts';
import { InvalidToken, type TokenIssuer } from './tokens/token-issuer.ts';
import { allRoles, inheritedRoles } from './users/inherited-roles.ts';

export interface CredentialHeaders {
  authorization?: string | undefined;
  'x-authorization'?: string | undefined;
}

const maxLength = 8_192;
const jwt = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const userId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const findPerson = {
  name: 'identity_person',
  text: `select email, display_name as "displayName", privileged, roles, disabled, token_epoch as "tokenEpoch",
      ${inheritedRoles('person')} as inherited,
      $3::text is null or exists (select 1 from oidc_payload
        where space_id = $1 and model = 'Grant' and id = $3 and expires_at > $4) as granted
    from person where space_id = $1 and user_id = $2`,
};

interface Found {
  email: string;
  displayName: string;
  privileged: boolean;
  roles: string[];
  inherited: string[];
  disabled: boolean;
  tokenEpoch: number;
  granted: boolean;
}

export interface Authentication {
  authenticate(headers: CredentialHeaders, address?: string): Promise<Principal>;
  /** The caller of an earlier request as they are now. Throws Problem 'sign-in-required' if they may not call any more. */
  recheck(caller: CallerReference): Promise<Principal>;
}

/**
 * Accepts `Authorization: Bearer <access or API token>` or `X-Authorization: Token <API token>`, which takes
 * precedence. Throws Problem 'sign-in-required'.
 */
export function createAuthenticate(
  context: IdentityContext,
  deps: { issuer: TokenIssuer; apiTokens: ApiTokens; cache: PrincipalCache<Principal> },
): Authentication {
  const { database, clock, spaceId } = context;
  const { issuer, apiTokens, cache } = deps;

  async function personOf(token: string): Promise<{ value: Principal; expiresAt: number }> {
    const verified = await issuer.verify(token).catch((error: unknown) => {
      throw error instanceof InvalidToken ? signInRequired() : error;
    });
    const { subject, grantId, epoch } = verified;
    const value = await personNow({ userId: subject, grantId, tokenEpoch: epoch });
    return { value, expiresAt: verified.expiresAt };
  }

  async function personNow(caller: CallerReference): Promise<Principal> {
    const { grantId, tokenEpoch } = caller;
    if (!userId.test(caller.userId)) throw signInRequired();
    const { rows } = await database.query<Found>(findPerson, [
      spaceId,
      caller.userId,
      grantId ?? null,
      isoTime(clock.now()),
    ]);
    const found = rows[0];
    const revoked = tokenEpoch !== undefined && found !== undefined && tokenEpoch < found.tokenEpoch;
    if (!found || found.disabled || !found.granted || revoked) throw signInRequired();
    return {
      spaceId,
      userId: caller.userId,
      kind: 'person',
      displayName: found.displayName,
      email: found.email,
      claims: { privileged: found.privileged, roles: allRoles(found.roles, found.inherited) },
      narrowed: false,
      grantId,
      tokenEpoch,
    };
  }

  async function apiTokenOf(token: string): Promise<{ value: Principal; expiresAt: number }> {
    const { principal, expiresAt } = await apiTokens.principalOf(token);
    return { value: principal, expiresAt };
  }

  return {
    async authenticate(headers, address) {
      const credential = readCredential(headers);
      if (!credential) throw signInRequired();
      const { token, maybePerson } = credential;
      const person = maybePerson && jwt.test(token);
      const principal = await cache.get(token, () => (person ? personOf(token) : apiTokenOf(token)));
      if (principal.kind === 'person' && !person) throw signInRequired();
      if (principal.apiTokenId) apiTokens.noteUse(principal.apiTokenId, address);
      return principal;
    },
    recheck: (caller) =>
      caller.apiTokenId === undefined ? personNow(caller) : apiTokens.principalOfId(caller.apiTokenId),
  };
}

function readCredential(headers: CredentialHeaders): { token: string; maybePerson: boolean } | null {
  const own = headers['x-authorization'];
  const [text, scheme] = own === undefined ? [headers.authorization, 'bearer'] : [own, 'token'];
  if (text === undefined || text.length > maxLength) return null;
  const parts = /^(\S+) +(\S+)$/.exec(text.trim());
  if (parts?.[1]?.toLowerCase() !== scheme) return null;
  return { token: parts[2]!, maybePerson: own === undefined };
}
