// Digest authentication: the examples of the standards, and how often a request is repeated.
import { describe, expect, test } from 'vitest';
import { Credentials, digestAuthorization, pickChallenge } from '../../../src/pigeon/sip/digest.ts';
import type { SipResponse } from '../../../src/pigeon/sip/message.ts';
import { countedBytes } from './scripted-peer.ts';

const newer = {
  realm: 'http-auth@example.org',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  password: 'Circle of Life',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};

test.each([
  [
    'RFC 2617, section 3.5',
    'MD5',
    {
      realm: 'testrealm@host.com',
      nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
      password: 'Circle Of Life',
      cnonce: '0a4f113b',
    },
    '6629fae49393a05397450978507c4ef1',
  ],
  ['RFC 7616, section 3.9.1', 'MD5', newer, '8ca523f5e9506fed4657c9700eebdbec'],
  [
    'RFC 7616, section 3.9.1',
    'SHA-256',
    newer,
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  ],
])('%s with %s', (_source, algorithm, { realm, nonce, password, cnonce }, response) => {
  const challenge = pickChallenge([
    `Digest realm="${realm}", qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}", opaque="FQhe"`,
  ]);
  const value = digestAuthorization({
    ...{ challenge: challenge!, user: 'Mufasa', password, cnonce },
    ...{ method: 'GET', uri: '/dir/index.html', nonceCount: 1 },
  });
  expect(value).toContain(`response="${response}"`);
  expect(value).toContain('nc=00000001, cnonce=');
  expect(value).toContain('opaque="FQhe"');
});

test('the first challenge that can be answered is taken', () => {
  const values = [
    'Basic realm="a"',
    'Digest realm="b", nonce="1", algorithm=SHA-3',
    'Digest realm="c", nonce="1", qop="auth-int"',
    'Digest realm="d"',
    'Digest realm="e, \\"f\\"", nonce="2", algorithm=sha-256-sess, qop=auth, stale=TRUE',
  ];
  expect(pickChallenge(values)).toMatchObject({
    ...{ realm: 'e, "f"', nonce: '2', algorithm: 'SHA-256', session: true, stale: true },
  });
  expect(pickChallenge(values.slice(0, 4))).toBeUndefined();
});

describe('a request', () => {
  const challenge = (nonce: string, { status = 401, stale = false, realm = 'a' } = {}): SipResponse => ({
    status,
    reason: '',
    headers: [
      {
        name: status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate',
        value: `Digest realm="${realm}", nonce="${nonce}", qop="auth"${stale ? ', stale=true' : ''}`,
      },
    ],
    body: Buffer.alloc(0),
  });
  const answer = (attempt: ReturnType<Credentials['attempt']>, response: SipResponse) =>
    attempt
      .answer(response, 'INVITE', 'sip:1@a')
      ?.map(({ name, value }) => [name, /nonce="(.*?)"/.exec(value)?.[1], /nc=0*(\d+)/.exec(value)?.[1]]);

  test('is not repeated after a wrong password', () => {
    const attempt = new Credentials('u', 'p', countedBytes()).attempt();
    expect(answer(attempt, challenge('1'))).toEqual([['Authorization', '1', '1']]);
    expect(answer(attempt, challenge('2'))).toBeUndefined();
  });

  test('is repeated twice when only the nonce expired', () => {
    const attempt = new Credentials('u', 'p', countedBytes()).attempt();
    expect(answer(attempt, challenge('1'))).toHaveLength(1);
    expect(answer(attempt, challenge('2', { stale: true }))).toEqual([['Authorization', '2', '1']]);
    expect(answer(attempt, challenge('3', { stale: true }))).toHaveLength(1);
    expect(answer(attempt, challenge('4', { stale: true }))).toBeUndefined();
  });

  test('answers a proxy and the server behind it, and counts the uses of a nonce', () => {
    const credentials = new Credentials('u', 'p', countedBytes());
    expect(answer(credentials.attempt(), challenge('1', { status: 407 }))).toHaveLength(1);
    const attempt = credentials.attempt();
    expect(answer(attempt, challenge('1', { status: 407 }))).toEqual([['Proxy-Authorization', '1', '2']]);
    expect(answer(attempt, challenge('9'))).toEqual([
      ['Proxy-Authorization', '1', '2'],
      ['Authorization', '9', '1'],
    ]);
  });

  test('is not repeated for ever by servers that invent realms, nor without an account', () => {
    const attempt = new Credentials('u', 'p', countedBytes()).attempt();
    let repeated = 0;
    while (answer(attempt, challenge('1', { realm: `r${repeated}` }))) repeated += 1;
    expect(repeated).toBe(4);
    expect(answer(new Credentials('', '', countedBytes()).attempt(), challenge('1'))).toBeUndefined();
  });
});
