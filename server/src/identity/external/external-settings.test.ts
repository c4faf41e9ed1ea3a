import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';

const read = (env: Record<string, string>) => readConfig([], env).external;
const base = { YAGURA_OIDC_ISSUER: 'https://id.example.com/', YAGURA_OIDC_CLIENT_ID: 'yagura' };

test.each<[string, object]>([
  ['YAGURA_OIDC_CLIENT_ID', { YAGURA_OIDC_CLIENT_ID: 'yagura' }],
  ['YAGURA_OIDC_CLIENT_ID', { ...base, YAGURA_OIDC_CLIENT_ID: '' }],
  ['YAGURA_OIDC_ISSUER', { ...base, YAGURA_OIDC_ISSUER: 'id.example.com' }],
  ['YAGURA_OIDC_ISSUER', { ...base, YAGURA_OIDC_ISSUER: 'http://id.example.com' }],
  ['YAGURA_OIDC_ISSUER', { ...base, YAGURA_OIDC_ISSUER: 'ftp://localhost' }],
  ['YAGURA_OIDC_ISSUER', { ...base, YAGURA_OIDC_ISSUER: 'https://a:b@id.example.com' }],
  ['YAGURA_OIDC_ISSUER', { ...base, YAGURA_OIDC_ISSUER: 'https://id.example.com/?a=b' }],
  ['YAGURA_OIDC_ISSUER', { ...base, YAGURA_OIDC_ISSUER: 'https://id.example.com/#a' }],
  ['YAGURA_OIDC_PASSWORDS', { ...base, YAGURA_OIDC_PASSWORDS: 'yes' }],
  ['YAGURA_OIDC_HOSTS', { ...base, YAGURA_OIDC_HOSTS: 'a.example, https://b.example' }],
  ['YAGURA_OIDC_ROLE_MAP', { ...base, YAGURA_OIDC_ROLE_MAP: 'a=sonar:viewer' }],
  ...['a=sonar:king', '=sonar:viewer', 'sonar:viewer', 'a=sonar:viewer, b'].map((map): [string, object] => [
    'YAGURA_OIDC_ROLE_MAP',
    { ...base, YAGURA_OIDC_ROLES_CLAIM: 'roles', YAGURA_OIDC_ROLE_MAP: map },
  ]),
])('a wrong provider setting is refused at start and names %s: %o', (name, env) => {
  expect(() => read(env as Record<string, string>)).toThrow(name);
});

test('without provider settings there is no provider, and the defaults fill in the rest', () => {
  expect(read({ YAGURA_HOST: '0.0.0.0' })).toBeUndefined();
  expect(read(base)).toEqual({
    name: 'id.example.com',
    issuer: 'https://id.example.com/',
    clientId: 'yagura',
    clientSecret: undefined,
    scope: 'openid email profile',
    hosts: [],
    passwords: true,
    signOut: true,
    createUsers: false,
    trustEmail: false,
    privileged: undefined,
    roles: undefined,
  });
});

test('every setting reaches the provider', () => {
  expect(
    read({
      YAGURA_OIDC_ISSUER: 'http://127.0.0.1:9000/realm',
      YAGURA_OIDC_CLIENT_ID: ' yagura ',
      YAGURA_OIDC_CLIENT_SECRET: 'secret',
      YAGURA_OIDC_NAME: 'Company',
      YAGURA_OIDC_SCOPE: 'email, groups email',
      YAGURA_OIDC_HOSTS: 'A.example  b.example,',
      YAGURA_OIDC_PASSWORDS: 'off',
      YAGURA_OIDC_SIGN_OUT: 'off',
      YAGURA_OIDC_CREATE_USERS: 'on',
      YAGURA_OIDC_TRUST_EMAIL: 'on',
      YAGURA_OIDC_PRIVILEGED_CLAIM: 'groups=admins',
      YAGURA_OIDC_ROLES_CLAIM: 'realm.roles',
    }),
  ).toEqual({
    name: 'Company',
    issuer: 'http://127.0.0.1:9000/realm',
    clientId: 'yagura',
    clientSecret: 'secret',
    scope: 'openid email groups',
    hosts: ['a.example', 'b.example'],
    passwords: false,
    signOut: false,
    createUsers: true,
    trustEmail: true,
    privileged: { path: ['groups'], value: 'admins' },
    roles: { path: ['realm', 'roles'], map: new Map() },
  });
});

test('a name of the provider stands for all roles that it is mapped to, however short it is', () => {
  const settings = read({
    ...base,
    YAGURA_OIDC_ROLES_CLAIM: 'roles',
    YAGURA_OIDC_ROLE_MAP: 'a=sonar:viewer, network team = greac:user ,a=alerthub:viewer',
  });
  expect(settings?.roles?.map).toEqual(
    new Map([
      ['a', ['sonar:viewer', 'alerthub:viewer']],
      ['network team', ['greac:user']],
    ]),
  );
});
