import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { callbackRedirect } from './callback-redirect.ts';
import type { ExternalSettings } from './external-settings.ts';
import { mapClaims } from './mapped-claims.ts';
import { getSealedIdToken } from './sealed-id-token.ts';

const settingsOf = (env: Record<string, string> = {}): ExternalSettings =>
  readConfig([], {
    YAGURA_OIDC_ISSUER: 'https://id.example.com/',
    YAGURA_OIDC_CLIENT_ID: 'yagura',
    ...env,
  }).external!;
const map = (claims: object, env?: Record<string, string>) =>
  mapClaims(settingsOf(env), claims as Record<string, unknown>);

test('the claims of the standard tell who it is', () => {
  expect(
    map({
      sub: 'one',
      email: ' hana@example.com ',
      email_verified: true,
      name: 'Hana\u0000 花',
      preferred_username: 'hana',
      amr: ['pwd', 'mfa', 'not a method', 7],
    }),
  ).toEqual({
    issuer: 'https://id.example.com/',
    subject: 'one',
    email: 'hana@example.com',
    emailVerified: true,
    displayName: 'Hana  花',
    privileged: undefined,
    roles: undefined,
    methods: ['pwd', 'mfa'],
  });
});

test.each([
  [{ sub: 1 }, { subject: '1', email: null, emailVerified: false, displayName: null, methods: [] }],
  [{ email: 'hana' }, { email: null }],
  [{ email: 'a b@example.com' }, { email: null }],
  [{ email: ['a@example.com'] }, { email: null }],
  // The database would find the account of mike@example.com by these.
  [{ email: 'm\u0130ke@example.com' }, { email: null }],
  [{ email: 'mi\u212ae@example.com' }, { email: null }],
  [{ email: 'Ünal@example.com' }, { email: 'Ünal@example.com' }],
  [{ email: `a@${'b'.repeat(252)}` }, { email: `a@${'b'.repeat(252)}` }],
  [{ email: `a@${'b'.repeat(253)}` }, { email: `a@${'b'.repeat(252)}` }],
  [{ email_verified: 'true' }, { emailVerified: true }],
  [{ email_verified: 'yes' }, { emailVerified: false }],
  [{ email_verified: 1 }, { emailVerified: false }],
  [{ name: '', preferred_username: 'hana' }, { displayName: 'hana' }],
  [{ name: ' \u007f ' }, { displayName: null }],
  [{ name: '花'.repeat(101) }, { displayName: '花'.repeat(100) }],
  [{ amr: 'pwd otp' }, { methods: ['pwd', 'otp'] }],
  [{ amr: 'm'.repeat(20) }, { methods: ['m'.repeat(20)] }],
  [{ amr: 'm'.repeat(21) }, { methods: [] }],
])('of the claims %j %j is known', (claims, expected) => {
  expect(map(claims)).toMatchObject(expected);
});

test('an address counts as verified where the provider is trusted with that', () => {
  const trusting = { YAGURA_OIDC_TRUST_EMAIL: 'on' };
  expect(map({ email: 'a@example.com' }, trusting)).toMatchObject({ emailVerified: true });
});

test.each([
  ['admin', { admin: true }, true],
  ['admin', { admin: 'true' }, true],
  ['admin', { admin: 'yes' }, false],
  ['admin', {}, false],
  ['realm.admin', { realm: { admin: true } }, true],
  ['realm.admin', { realm: 'admin' }, false],
  ['realm.admin', { realm: null }, false],
  ['realm.admin', { 'realm.admin': true }, false],
  ['realm.toString', { realm: {} }, false],
  ['https://id.example/admin.yes', { 'https://id.example/admin.yes': true }, true],
  ['groups=admins', { groups: ['users', 'admins'] }, true],
  ['groups=admins', { groups: 'users, admins' }, true],
  ['groups=admins', { groups: ['admins of x'] }, false],
  ['groups=admins', { groups: true }, false],
  [' groups = admins ', { groups: ['admins'] }, true],
  ['groups=a=b', { groups: ['a=b'] }, true],
])('with the privileged claim %j, %j is privileged: %s', (setting, claims, expected) => {
  expect(map(claims, { YAGURA_OIDC_PRIVILEGED_CLAIM: setting }).privileged).toBe(expected);
});

test('roles are our own names or mapped ones, each once, in the order of the roles', () => {
  const env = {
    YAGURA_OIDC_ROLES_CLAIM: 'groups',
    YAGURA_OIDC_ROLE_MAP: 'net = sonar:viewer ,net=pigeon:operator,, ops=greac:user',
  };
  expect(map({ groups: ['net', 'alerthub:viewer', 'net', 'king', 1] }, env).roles).toEqual([
    'sonar:viewer',
    'pigeon:operator',
    'alerthub:viewer',
  ]);
  expect(map({}, env).roles).toEqual([]);
  const many = Array.from({ length: 1_000 }, (_, at) => `group ${at}`);
  expect(map({ groups: [...many.slice(1), 'ops'] }, env).roles).toEqual(['greac:user']);
  expect(map({ groups: [...many, 'ops'] }, env).roles).toEqual([]);
});

test.each([
  [undefined, undefined],
  ['/oidc/external/more?state=x', undefined],
  ['/oidc/external', '/'],
  ['/oidc/external?code=1', '/'],
  [`/oidc/external?state=one.${'x'.repeat(19)}`, '/'],
  [`/oidc/external?state=one.${'x'.repeat(129)}`, '/'],
  [`/oidc/external?state=${'u'.repeat(65)}.${'x'.repeat(20)}`, '/'],
  [`/oidc/external?state=../x.${'x'.repeat(20)}`, '/'],
  [
    `/oidc/external?code=a&state=one.${'x'.repeat(20)}&external=start`,
    `/oidc/interaction/one?code=a&state=one.${'x'.repeat(20)}&external=back`,
  ],
])('the answer at %j goes on to %j', (url, target) => {
  expect(callbackRedirect(url)).toBe(target);
});

test('only a sign-in by the provider has its token', () => {
  expect(getSealedIdToken({ vouched: 'c2VhbGVk' })?.toString()).toBe('sealed');
  for (const result of [undefined, null, {}, { vouched: 7 }])
    expect(getSealedIdToken(result)).toBeUndefined();
});
