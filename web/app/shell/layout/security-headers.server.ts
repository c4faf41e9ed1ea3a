// Headers of every page: what it may load and where it may be shown.
import type { ConsoleContext } from '../../context.ts';

/** Sets the content security policy and its companions on a document's headers. */
export function setSecurityHeaders(
  headers: Headers,
  context: Pick<ConsoleContext, 'nonce' | 'issuer' | 'origin'>,
): void {
  const issuer = new URL(context.issuer).origin;
  const provider = issuer === new URL(context.origin).origin ? '' : ` ${issuer}`;
  headers.set(
    'content-security-policy',
    [
      "default-src 'self'",
      `script-src 'self' 'nonce-${context.nonce}'`,
      // Style attributes are set by components; style elements and sheets are ours only.
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      // Signing out is a form that ends at the provider.
      `form-action 'self'${provider}`,
    ].join('; '),
  );
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'same-origin');
  headers.set('cache-control', 'no-store');
  headers.set('cross-origin-opener-policy', 'same-origin');
}
