// Reads and validates the external OpenID provider's settings from environment variables at start.
import { isRole, type RoleName } from '@yagura/core/access/role-map';
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

type Environment = Record<string, string | undefined>;

const prefix = 'YAGURA_OIDC_';
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns undefined when no issuer is set. `refuse` creates the error, `secret` reads a value or the file of
 * that name. An incomplete configuration is refused at start rather than at the first sign-in.
 */
export function readExternalSettings(
  env: Environment,
  deps: { refuse(reason: string): Error; secret(name: string): string | undefined },
): ExternalSettings | undefined {
  const { refuse } = deps;
  const readValue = (name: string) => env[prefix + name]?.trim() || undefined;
  const issuer = readValue('ISSUER');
  const clientSecret = deps.secret(`${prefix}CLIENT_SECRET`);
  if (!issuer) {
    const stray = Object.keys(env).find((name) => name.startsWith(prefix) && env[name]);
    if (stray) throw refuse(`${stray}: set YAGURA_OIDC_ISSUER too, or leave both away`);
    return undefined;
  }
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const bare = url?.protocol === 'http:' && loopback.has(url.hostname);
  if (!url || url.search || url.hash || url.username || (url.protocol !== 'https:' && !bare))
    throw refuse(`${prefix}ISSUER: give the https address of the provider, as its ID tokens name it`);
  const clientId = readValue('CLIENT_ID');
  if (!clientId) throw refuse(`${prefix}CLIENT_ID: give the id under which the provider knows this server`);
  const scopes = new Set(['openid', ...(readValue('SCOPE') ?? 'openid email profile').split(/[\s,]+/)]);
  return {
    name: readValue('NAME') ?? url.hostname,
    issuer,
    clientId,
    clientSecret,
    scope: [...scopes].join(' '),
    hosts: parseHosts(readValue('HOSTS'), refuse),
    passwords: parseSwitch(readValue('PASSWORDS'), true, `${prefix}PASSWORDS`, refuse),
    signOut: parseSwitch(readValue('SIGN_OUT'), true, `${prefix}SIGN_OUT`, refuse),
    createUsers: parseSwitch(readValue('CREATE_USERS'), false, `${prefix}CREATE_USERS`, refuse),
    trustEmail: parseSwitch(readValue('TRUST_EMAIL'), false, `${prefix}TRUST_EMAIL`, refuse),
    privileged: parsePrivilegedClaim(readValue('PRIVILEGED_CLAIM')),
    roles: parseRoleMap(readValue('ROLES_CLAIM'), readValue('ROLE_MAP'), refuse),
  };
}

function parseHosts(text: string | undefined, refuse: (reason: string) => Error): string[] {
  return (text ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((part) => {
      const host = hostNameOf(part);
      if (host === null) throw refuse(`${prefix}HOSTS: ${part} is no host name`);
      return host;
    });
}

function parseSwitch(
  text: string | undefined,
  defaultValue: boolean,
  name: string,
  refuse: (reason: string) => Error,
): boolean {
  if (text === undefined) return defaultValue;
  if (text !== 'on' && text !== 'off') throw refuse(`${name}: give on or off`);
  return text === 'on';
}

/**
 * Claim such as `privileged` or `realm.admin`, optionally with the required value: `groups=yagura-admins`.
 */
function parsePrivilegedClaim(text: string | undefined): ExternalSettings['privileged'] {
  if (!text) return undefined;
  const at = text.indexOf('=');
  const path = parseClaimPath(at < 0 ? text : text.slice(0, at));
  return { path, value: at < 0 ? undefined : text.slice(at + 1).trim() };
}

/** The map is a comma-separated list of `theirs=ours`; a name may occur several times. */
function parseRoleMap(
  claim: string | undefined,
  map: string | undefined,
  refuse: (reason: string) => Error,
): ExternalSettings['roles'] {
  if (!claim) {
    if (map) throw refuse(`${prefix}ROLE_MAP: set YAGURA_OIDC_ROLES_CLAIM too`);
    return undefined;
  }
  const known = new Map<string, RoleName[]>();
  for (const part of (map ?? '').split(',').filter((one) => one.trim())) {
    const at = part.indexOf('=');
    const [theirs, ours] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    if (at < 1 || !isRole(ours))
      throw refuse(`${prefix}ROLE_MAP: ${part.trim()} is not like network-team=sonar:administrator`);
    known.set(theirs, [...(known.get(theirs) ?? []), ours]);
  }
  return { path: parseClaimPath(claim), map: known };
}

/** A claim whose own name contains dots or slashes, such as a URL, is a single path segment. */
function parseClaimPath(text: string): string[] {
  const name = text.trim();
  return name.includes('/') ? [name] : name.split('.');
}
