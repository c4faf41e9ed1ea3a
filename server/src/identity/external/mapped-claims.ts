// From the claims of an external provider to what they mean in the space.
import { isRole, type RoleName, roleNames } from '@yagura/core/access/role-map';
import type { ExternalSettings } from './external-settings.ts';

export interface ExternalIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  /** True when the provider says that the address is the person's own. */
  emailVerified: boolean;
  displayName: string | null;
  /** Undefined: not the provider's to say. */
  privileged: boolean | undefined;
  roles: RoleName[] | undefined;
  /** How the person has shown who they are (RFC 8176), as far as the provider tells. */
  methods: string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** Reads the claims of an ID token that has been verified. What has the wrong type counts as absent. */
export function mappedClaims(settings: ExternalSettings, claims: Claims): ExternalIdentity {
  const { privileged, roles } = settings;
  const email = textOf(claims.email, 254);
  return {
    issuer: settings.issuer,
    subject: String(claims.sub),
    email: email && /^\S+@\S+$/.test(email) ? email : null,
    emailVerified: settings.trustEmail || claims.email_verified === true || claims.email_verified === 'true',
    displayName: textOf(claims.name, 100) ?? textOf(claims.preferred_username, 100),
    privileged: privileged && holds(at(claims, privileged.path), privileged.value),
    roles: roles && rolesFrom(listOf(at(claims, roles.path)), roles.map),
    methods: listOf(claims.amr).filter((method) => /^[\w-]{1,20}$/.test(method)),
  };
}

function at(claims: Claims, path: readonly string[]): unknown {
  let value: unknown = claims;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Claims)[step];
  }
  return value;
}

function holds(value: unknown, wanted: string | undefined): boolean {
  if (wanted === undefined) return value === true || value === 'true';
  return listOf(value).includes(wanted);
}

/** A list of texts, also when it was written with commas or spaces in one text. */
function listOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter(Boolean);
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is string => typeof one === 'string').slice(0, 1_000);
}

function rolesFrom(theirs: string[], map: ReadonlyMap<string, readonly RoleName[]>): RoleName[] {
  const ours = new Set(theirs.flatMap((name) => map.get(name) ?? (isRole(name) ? [name] : [])));
  return roleNames.filter((role) => ours.has(role));
}

function textOf(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const text = [...value.replace(/[\u0000-\u001f\u007f]/g, ' ').trim()].slice(0, maxLength).join('');
  return text === '' ? null : text;
}
