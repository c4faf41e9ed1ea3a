// Settings of the external OpenID provider, from environment variables.
import { isRole, type RoleName } from '@yagura/core/access/role-map';
import type { z } from 'zod';
import { onOff, secret, trimmed } from '../../common/variable-kinds.ts';
import { hostNameOf } from '../host-name.ts';

export interface ExternalSettings {
  /** Name on the sign-in button. */
  name: string;
  issuer: string;
  clientId: string;
  /** Absent for a public client, protected by PKCE alone. */
  clientSecret: string | undefined;
  scope: string;
  /**
   * Host names of additional spaces that use the provider; the space at the server's own address always does.
   */
  hosts: readonly string[];
  /** False: no sign-in with a password or passkey of this server. */
  passwords: boolean;
  /**
   * True: every account of the provider becomes a user; otherwise only existing and invited users are
   * admitted.
   */
  createUsers: boolean;
  /**
   * Treat every address as verified, for providers that manage the mailboxes but do not send
   * `email_verified`.
   */
  trustEmail: boolean;
  /** True: signing out here also signs out at the provider, if it supports that. */
  signOut: boolean;
  /** ID token claim that marks a privileged user; undefined: managed in the space. */
  privileged: { path: string[]; value: string | undefined } | undefined;
  /** ID token claim that lists roles; undefined: managed in the space. */
  roles: { path: string[]; map: ReadonlyMap<string, readonly RoleName[]> } | undefined;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export const externalVariables = {
  YAGURA_OIDC_ISSUER: trimmed()
    .refine(isIssuer, { error: 'give the https address of the provider, as its ID tokens name it' })
    .optional(),
  YAGURA_OIDC_CLIENT_ID: trimmed().optional(),
  YAGURA_OIDC_CLIENT_SECRET: secret(),
  YAGURA_OIDC_NAME: trimmed().optional(),
  YAGURA_OIDC_SCOPE: trimmed().default('openid email profile'),
  YAGURA_OIDC_HOSTS: trimmed().transform(parseHosts).optional(),
  YAGURA_OIDC_PASSWORDS: onOff('on'),
  YAGURA_OIDC_SIGN_OUT: onOff('on'),
  YAGURA_OIDC_CREATE_USERS: onOff('off'),
  YAGURA_OIDC_TRUST_EMAIL: onOff('off'),
  YAGURA_OIDC_PRIVILEGED_CLAIM: trimmed().transform(parsePrivilegedClaim).optional(),
  YAGURA_OIDC_ROLES_CLAIM: trimmed().transform(parseClaimPath).optional(),
  YAGURA_OIDC_ROLE_MAP: trimmed().transform(parseRoleMap).optional(),
};

type Values = z.output<z.ZodObject<typeof externalVariables>>;

/** Returns undefined when no issuer is set. */
export function toExternalSettings(values: Values): ExternalSettings | undefined {
  const { YAGURA_OIDC_ISSUER: issuer, YAGURA_OIDC_CLIENT_ID: clientId } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  const path = values.YAGURA_OIDC_ROLES_CLAIM;
  return {
    name: values.YAGURA_OIDC_NAME ?? new URL(issuer).hostname,
    issuer,
    clientId,
    clientSecret: values.YAGURA_OIDC_CLIENT_SECRET,
    scope: [...new Set(['openid', ...values.YAGURA_OIDC_SCOPE.split(/[\s,]+/)])].join(' '),
    hosts: values.YAGURA_OIDC_HOSTS ?? [],
    passwords: values.YAGURA_OIDC_PASSWORDS,
    signOut: values.YAGURA_OIDC_SIGN_OUT,
    createUsers: values.YAGURA_OIDC_CREATE_USERS,
    trustEmail: values.YAGURA_OIDC_TRUST_EMAIL,
    privileged: values.YAGURA_OIDC_PRIVILEGED_CLAIM,
    roles: path && { path, map: values.YAGURA_OIDC_ROLE_MAP ?? new Map() },
  };
}

function isIssuer(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const url = new URL(given);
  if (url.search || url.hash || url.username) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
}

function parseHosts(text: string, { addIssue }: z.RefinementCtx): string[] {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((part) => {
      const host = hostNameOf(part);
      if (host === null) addIssue(`${part} is no host name`);
      return host ?? '';
    });
}

/**
 * Claim such as `privileged` or `realm.admin`, optionally with the required value: `groups=yagura-admins`.
 */
function parsePrivilegedClaim(text: string): NonNullable<ExternalSettings['privileged']> {
  const at = text.indexOf('=');
  const path = parseClaimPath(at < 0 ? text : text.slice(0, at));
  return { path, value: at < 0 ? undefined : text.slice(at + 1).trim() };
}

/** A comma-separated list of `theirs=ours`; a name may occur several times. */
function parseRoleMap(text: string, { addIssue }: z.RefinementCtx): Map<string, RoleName[]> {
  const known = new Map<string, RoleName[]>();
  for (const part of text.split(',').filter((one) => one.trim())) {
    const at = part.indexOf('=');
    const [theirs, ours] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    if (at < 1 || !isRole(ours)) addIssue(`${part.trim()} is not like network-team=sonar:administrator`);
    else known.set(theirs, [...(known.get(theirs) ?? []), ours]);
  }
  return known;
}

/** A claim whose own name contains dots or slashes, such as a URL, is a single path segment. */
function parseClaimPath(text: string): string[] {
  const name = text.trim();
  return name.includes('/') ? [name] : name.split('.');
}
