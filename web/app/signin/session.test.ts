import { describe, expect, it } from 'vitest';
import type { ConsoleContext } from '../context.ts';
import { createApi } from './api.server.ts';
import { pageUserHeader } from './browser/page-user.ts';
import { otherUser, signInRequiredHeader } from './browser/watch-session.ts';
import { sealedCookie } from './sealed-cookie.server.ts';
import {
  appendSessionCookies,
  clearSession,
  getSession,
  type Session,
  sealSession,
} from './session.server.ts';

let count = 0;

/** Console context whose provider has a scripted token endpoint; each test has its own issuer. */
function consoleWith(answer: (form: URLSearchParams) => Response) {
  count += 1;
  const issuer = `http://localhost:8480/oidc-${count}`;
  const tokenRequests: URLSearchParams[] = [];
  const context = (): ConsoleContext => ({
    origin: 'http://localhost:8480',
    issuer,
    clientId: 'yagura-web',
    cookieSecret: new Uint8Array(32).fill(7),
    helpLinks: {},
    nonce: 'n',
    logError() {},
    version: '0',
    async fetch(url, init) {
      if (!url.endsWith('/token')) {
        const metadata = {
          issuer,
          token_endpoint: `${issuer}/token`,
          authorization_endpoint: `${issuer}/auth`,
        };
        return Response.json(metadata);
      }
      const form = new URLSearchParams(String(init.body));
      tokenRequests.push(form);
      return answer(form);
    },
  });
  return { context, asked: tokenRequests };
}

const rotated = () =>
  Response.json({ access_token: 'new', refresh_token: 'r2', token_type: 'bearer', expires_in: 600 });
const refused = () => Response.json({ error: 'invalid_grant' }, { status: 400 });

async function requestWith(context: ConsoleContext, session: Partial<Session>): Promise<Request> {
  const lines = await sealSession(context, {
    accessToken: 'old',
    refreshToken: 'r1',
    idToken: null,
    expiresAt: Date.now() + 600_000,
    ...session,
  });
  return requestOf(lines);
}

function requestOf(lines: string[]): Request {
  const cookie = lines.filter((line) => !line.includes('Max-Age=0')).map((line) => line.split(';')[0]);
  return new Request('http://localhost:8480/', { headers: { cookie: cookie.join('; ') } });
}

async function cookiesFor(context: ConsoleContext): Promise<string[]> {
  const headers = new Headers();
  await appendSessionCookies(context, headers);
  return headers.getSetCookie();
}

describe('sessionOf', () => {
  it('is null without a cookie', async () => {
    const { context } = consoleWith(rotated);
    expect(await getSession(new Request('http://localhost:8480/'), context())).toBeNull();
  });

  it('takes a fresh session as it is', async () => {
    const { context, asked } = consoleWith(rotated);
    const own = context();
    const session = await getSession(await requestWith(own, {}), own);
    expect(session?.accessToken).toBe('old');
    expect(asked).toHaveLength(0);
    expect(await cookiesFor(own)).toEqual([]);
  });

  it('renews before the end and hands the browser the rotated tokens', async () => {
    const { context, asked } = consoleWith(rotated);
    const own = context();
    const session = await getSession(
      await requestWith(own, { expiresAt: Date.now() + 5_000, idToken: 'id' }),
      own,
    );
    expect(session).toMatchObject({ accessToken: 'new', refreshToken: 'r2', idToken: 'id' });
    expect(asked[0]?.get('refresh_token')).toBe('r1');
    const kept = await sealedCookie(own, 'session').open(requestOf(await cookiesFor(own)));
    expect(kept).toMatchObject({ refreshToken: 'r2' });
  });

  it('renews once for requests that come together or late with the older token', async () => {
    const { context, asked } = consoleWith(rotated);
    const expiresAt = Date.now() + 5_000;
    const requests = await Promise.all([1, 2, 3].map(() => requestWith(context(), { expiresAt })));
    const sessions = await Promise.all(requests.map((request) => getSession(request, context())));
    const expiringSoon = await getSession(requests[0]!, context());
    expect(new Set([...sessions, expiringSoon].map((session) => session?.accessToken))).toEqual(
      new Set(['new']),
    );
    expect(asked).toHaveLength(1);
  });

  describe.each([
    { method: 'POST', pageUser: 'ann', isRefused: true, isTold: true },
    { method: 'GET', pageUser: 'ann', isRefused: false, isTold: true },
    { method: 'POST', pageUser: 'bob', isRefused: false, isTold: false },
    { method: 'POST', pageUser: undefined, isRefused: false, isTold: false },
  ])('of bob, for a $method from the page of $pageUser', ({ method, pageUser, isRefused, isTold }) => {
    it(`is ${isRefused ? 'not ' : ''}used`, async () => {
      const { context } = consoleWith(rotated);
      const own = context();
      const payload = Buffer.from(JSON.stringify({ sub: 'bob' })).toString('base64url');
      const { url, headers } = await requestWith(own, { idToken: `e30.${payload}.x` });
      if (pageUser) headers.set(pageUserHeader, pageUser);
      const refusal = await createApi(new Request(url, { method, headers }), own).catch((error) => error);
      expect(refusal instanceof Response && refusal.status).toBe(isRefused && 409);
      const reply = new Headers();
      await appendSessionCookies(own, reply);
      expect(reply.get(signInRequiredHeader)).toBe(isTold ? otherUser : null);
    });
  });

  it('is left to a response that sets it, such as that of the sign-out', async () => {
    const { context } = consoleWith(rotated);
    const own = context();
    const request = await requestWith(own, { expiresAt: Date.now() + 5_000 });
    await getSession(request, own);
    const headers = new Headers({ 'set-cookie': 'lng=en' });
    for (const line of clearSession(request, own)) headers.append('set-cookie', line);
    const lines = headers.getSetCookie();
    await appendSessionCookies(own, headers);
    expect(headers.getSetCookie()).toEqual(lines);
  });

  it('ends when the provider refuses the renewal, and clears the cookie', async () => {
    const { context } = consoleWith(refused);
    const own = context();
    expect(await getSession(await requestWith(own, { expiresAt: Date.now() - 1 }), own)).toBeNull();
    expect((await cookiesFor(own))[0]).toMatch(/-session\.0=; .*Max-Age=0$/);
  });

  it('outlives a provider that is away while the token still holds', async () => {
    const { context } = consoleWith(() => {
      throw new TypeError('fetch failed');
    });
    const own = context();
    const session = await getSession(await requestWith(own, { expiresAt: Date.now() + 30_000 }), own);
    expect(session?.accessToken).toBe('old');
  });

  it('is renewed by the next request when the provider was away for one', async () => {
    let isAway = true;
    const { context } = consoleWith(() => {
      if (isAway) throw new TypeError('fetch failed');
      return rotated();
    });
    const request = await requestWith(context(), { expiresAt: Date.now() - 1 });
    await expect(getSession(request, context())).rejects.toThrow();
    isAway = false;
    expect((await getSession(request, context()))?.accessToken).toBe('new');
  });

  it('is used to its end without a refresh token', async () => {
    const { context } = consoleWith(rotated);
    const near = context();
    const last = await getSession(
      await requestWith(near, { refreshToken: null, expiresAt: Date.now() + 30_000 }),
      near,
    );
    expect(last?.accessToken).toBe('old');
    const over = context();
    expect(
      await getSession(await requestWith(over, { refreshToken: null, expiresAt: Date.now() - 1 }), over),
    ).toBeNull();
  });
});
