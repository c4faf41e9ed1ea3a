import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';

const read = (env: Record<string, string>) => readConfig([], env).external;
const base = { YAGURA_OIDC_ISSUER: 'https://id.example.com/', YAGURA_OIDC_CLIENT_ID: 'yagura' };

test.each([
  ['YAGURA_OIDC_CLIENT_ID', { YAGURA_OIDC_CLIENT_ID: 'yagura' }],
  ['YAGURA_OIDC_CLIENT_ID', { ...base, YAGURA_OIDC_CLIENT_ID: '' }],
  ['YAGURA_OIDC_ISSUER', { ...base, YAGURA_OIDC_ISSUER: 'id.example.com' }],
  ['YAGURA_OIDC_ISSUER', { ...base, YAGURA_OIDC_ISSUER: 'http://id.example.com' }],
  ['YAGURA_OIDC_ISSUER', { ...base, YAGURA_OIDC_ISSUER: 'https://a:b@id.example.com' }],
  ['YAGURA_OIDC_PASSWORDS', { ...base, YAGURA_OIDC_PASSWORDS: 'yes' }],
  ['YAGURA_OIDC_ROLE_MAP', { ...base, YAGURA_OIDC_ROLE_MAP: 'a=sonar:viewer' }],
  [
    'YAGURA_OIDC_ROLE_MAP',
    { ...base, YAGURA_OIDC_ROLES_CLAIM: 'roles', YAGURA_OIDC_ROLE_MAP: 'a=sonar:king' },
  ],
])('a wrong provider setting is refused at start and names %s: %o', (name, env) => {
  expect(() => read(env as Record<string, string>)).toThrow(name);
});

test('without provider settings there is no provider, and the defaults fill in the rest', () => {
  expect(read({ YAGURA_HOST: '0.0.0.0' })).toBeUndefined();
  expect(read(base)).toMatchObject({
    name: 'id.example.com',
    passwords: true,
    scope: 'openid email profile',
  });
});
