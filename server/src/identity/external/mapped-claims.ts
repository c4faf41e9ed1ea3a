// Maps claims of an external provider to an identity in the space.
import { isRole, type RoleName, roleNames } from '@yagura/core/access/role-map';
import { cleanName } from '@yagura/core/validation/name-characters';
import { imitatesAscii } from '../users/email-case.ts';
import type { ExternalSettings } from './external-settings.ts';

export interface ExternalIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  /** True when the provider confirms that the address belongs to the user. */
  emailVerified: boolean;
  displayName: string | null;
  /** Undefined: not managed by the provider. */
  privileged: boolean | undefined;
  roles: RoleName[] | undefined;
  /** Authentication methods (RFC 8176) reported by the provider. */
  methods: string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** Maps the claims of a verified ID token. A claim of the wrong type counts as absent. */
export function mapClaims(settings: ExternalSettings, claims: Claims): ExternalIdentity {
  const { privileged, roles } = settings;
  const email = toText(claims.email, 254);
  return {
    issuer: settings.issuer,
    subject: String(claims.sub),
    email: email && /^\S+@\S+$/.test(email) && !imitatesAscii(email) ? email : null,
    emailVerified: settings.trustEmail || claims.email_verified === true || claims.email_verified === 'true',
    displayName: toText(claims.name, 100) ?? toText(claims.preferred_username, 100),
    privileged: privileged && includesValue(claimAt(claims, privileged.path), privileged.value),
    roles: roles && mapRoles(toList(claimAt(claims, roles.path)), roles.map),
    methods: toList(claims.amr).filter((method) => /^[\w-]{1,20}$/.test(method)),
  };
}

function claimAt(claims: Claims, path: readonly string[]): unknown {
  let value: unknown = claims;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Claims)[step];
  }
  return value;
}

function includesValue(value: unknown, expected: string | undefined): boolean {
  if (expected === undefined) return value === true || value === 'true';
  return toList(value).includes(expected);
}

/** Reads a list of strings, also from one string separated by commas or spaces. */
function toList(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter(Boolean);
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is string => typeof one === 'string').slice(0, 1_000);
}

function mapRoles(theirs: string[], map: ReadonlyMap<string, readonly RoleName[]>): RoleName[] {
  const ours = new Set(theirs.flatMap((name) => map.get(name) ?? (isRole(name) ? [name] : [])));
  return roleNames.filter((role) => ours.has(role));
}

function toText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const text = [...cleanName(value)].slice(0, maxLength).join('').trim();
  return text === '' ? null : text;
}
