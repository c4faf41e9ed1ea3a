import { afterEach, describe, expect, it, vi } from 'vitest';
import { sealedCookie } from './sealed-cookie.server.ts';

const secret = (byte: number) => new Uint8Array(32).fill(byte);
const http = { origin: 'http://localhost:8480', cookieSecret: secret(1) };
const https = { origin: 'https://console.example', cookieSecret: secret(1) };

/** Returns a request with the cookies from these Set-Cookie lines. */
function sent(lines: string[], change = (text: string) => text): Request {
  const kept = lines.filter((line) => !line.includes('Max-Age=0')).map((line) => line.split(';')[0]);
  return new Request('http://localhost/', { headers: { cookie: change(kept.join('; ')) } });
}

/** Changes a character well before the end: the last one contains unused bits. */
const changeOne = (text: string) => text.slice(0, -20) + (text.at(-20) === 'A' ? 'B' : 'A') + text.slice(-19);

afterEach(() => {
  vi.useRealTimers();
});

describe('sealedCookie', () => {
  it('gives back what was sealed', async () => {
    const cookie = sealedCookie(http, 'session');
    const value = { accessToken: 'a', name: '櫓' };
    expect(await cookie.open(sent(await cookie.seal(value, 60)))).toEqual(value);
  });

  it('splits what is larger than a cookie, and joins it again', async () => {
    const cookie = sealedCookie(http, 'session');
    const value = { token: 'x'.repeat(9000) };
    const lines = await cookie.seal(value, 60);
    expect(lines.filter((line) => !line.includes('Max-Age=0')).length).toBeGreaterThan(2);
    for (const line of lines) expect(line.length).toBeLessThan(4096);
    expect(await cookie.open(sent(lines))).toEqual(value);
  });

  it('refuses to seal what no set of cookies can hold', async () => {
    await expect(sealedCookie(http, 'session').seal('x'.repeat(40_000), 60)).rejects.toThrow('too large');
  });

  it('clears the chunk after its last one, so that an older longer value leaves no tail', async () => {
    const cookie = sealedCookie(http, 'session');
    const lines = await cookie.seal('short', 60);
    expect(lines.at(-1)).toMatch(/^yagura-8480-session\.1=; .*Max-Age=0$/);
  });

  it('is HttpOnly and Lax; over https it is Secure and bound to the host', async () => {
    const [plain] = await sealedCookie(http, 'session').seal(1, 60);
    expect(plain).toMatch(/^yagura-8480-session\.0=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=60$/);
    const [safe] = await sealedCookie(https, 'session').seal(1, 60);
    expect(safe).toMatch(
      /^__Host-yagura-session\.0=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=60$/,
    );
  });

  it.each<[string, (text: string) => string]>([
    ['one changed character', changeOne],
    ['a cut value', (text) => text.slice(0, -8)],
    ['noise', () => 'yagura-8480-session.0=noise'],
    ['an empty value', () => 'yagura-8480-session.0='],
    ['nothing', () => ''],
  ])('reads nothing from %s', async (_what, change) => {
    const cookie = sealedCookie(http, 'session');
    expect(await cookie.open(sent(await cookie.seal({ a: 1 }, 60), change))).toBeNull();
  });

  it('reads nothing sealed under another secret, or for another purpose', async () => {
    const lines = await sealedCookie(http, 'session').seal({ a: 1 }, 60);
    const other = sealedCookie({ ...http, cookieSecret: secret(2) }, 'session');
    expect(await other.open(sent(lines))).toBeNull();
    const purpose = sealedCookie(http, 'signin');
    const renamed = sent(lines, (text) => text.replaceAll('-session.', '-signin.'));
    expect(await purpose.open(renamed)).toBeNull();
  });

  it('reads nothing after its time, whatever the browser kept', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') });
    const cookie = sealedCookie(http, 'session');
    const request = sent(await cookie.seal({ a: 1 }, 60));
    vi.setSystemTime(Date.parse('2026-01-01T00:00:59Z'));
    expect(await cookie.open(request)).toEqual({ a: 1 });
    vi.setSystemTime(Date.parse('2026-01-01T00:01:01Z'));
    expect(await cookie.open(request)).toBeNull();
  });
});
