// Headers of the console's pages (ASVS 5.0, 3.4).
import { describe, expect, it } from 'vitest';
import { setSecurityHeaders } from './security-headers.server.ts';

const origin = 'https://console.example';

function headersOf(path: string, issuer = `${origin}/oidc`): Headers {
  const headers = new Headers();
  setSecurityHeaders(headers, { nonce: 'n0nce', issuer, origin }, path);
  return headers;
}

const policyOf = (path: string, issuer?: string) =>
  headersOf(path, issuer).get('content-security-policy')!.split('; ');

describe('a page of the console', () => {
  it.each(['/', '/apps/greac/connect/1', '/apps/greac/sessions/1/logs'])(
    '%s takes scripts of its own alone, no plugins and no foreign base, and is framed by nobody',
    (path) => {
      const policy = policyOf(path);
      for (const part of [
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ])
        expect(policy).toContain(part);
      const scripts = policy
        .find((part) => part.startsWith('script-src '))!
        .split(' ')
        .slice(1);
      const wasm = path === '/' ? [] : ["'wasm-unsafe-eval'"];
      expect(scripts).toEqual(["'self'", "'nonce-n0nce'", ...wasm]);
    },
  );

  it('tells other sites nothing, and is what it says it is', () => {
    const headers = headersOf('/');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('sends forms to this origin and to the provider', () => {
    expect(policyOf('/')).toContain("form-action 'self'");
    expect(policyOf('/', 'https://login.example/oidc')).toContain("form-action 'self' https://login.example");
  });
});
