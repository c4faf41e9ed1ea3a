// Security headers of every page.
import type { ConsoleContext } from '../../context.ts';

/** Pages that show desktops, live or recorded: their client is WebAssembly. */
const desktopPages = /^\/apps\/greac\/(connect\/[^/]+|sessions\/[^/]+\/logs)$/;

/** Sets the content security policy and related headers of a document. */
export function setSecurityHeaders(
  headers: Headers,
  context: Pick<ConsoleContext, 'nonce' | 'issuer' | 'origin'>,
  path: string,
): void {
  const isDesktop = desktopPages.test(path);
  const issuer = new URL(context.issuer).origin;
  const provider = issuer === new URL(context.origin).origin ? '' : ` ${issuer}`;
  headers.set(
    'content-security-policy',
    [
      "default-src 'self'",
      `script-src 'self' 'nonce-${context.nonce}'${isDesktop ? " 'wasm-unsafe-eval'" : ''}`,
      // Components set style attributes; style elements and style sheets come from this origin only.
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data:",
      // Speech that was rendered for the player.
      "media-src 'self' blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      // The sign-out form is redirected to the provider.
      `form-action 'self'${provider}`,
    ].join('; '),
  );
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'same-origin');
  headers.set('cache-control', 'no-store');
  headers.set('cross-origin-opener-policy', 'same-origin');
}
