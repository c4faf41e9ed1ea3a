// Context that the server mounting the console passes to every request.
import type { Fetch } from '@yagura/core/http/transport';

export interface ConsoleContext {
  /** Calls to `origin` (API and identity provider) are served in process. */
  fetch: Fetch;
  /** Public URL of the console without a trailing slash. */
  origin: string;
  /** Issuer of the OpenID provider. */
  issuer: string;
  clientId: string;
  /** At least 32 random bytes; the cookie keys are derived from it. */
  cookieSecret: Uint8Array;
  /** Nonce of the content security policy; new for every request. */
  nonce: string;
  /** Logs an error on the server. */
  logError(error: unknown): void;
  /** Product version. */
  version: string;
  /**
   * Help menu URLs; missing entries are not shown. `planSupport` applies to plans whose name contains the
   * marker.
   */
  helpLinks: Partial<Record<'guide' | 'product' | 'support' | 'privacy' | 'terms', string>> & {
    planSupport?: { marker: string; url: string };
  };
}

declare module '@remix-run/node' {
  interface AppLoadContext extends ConsoleContext {}
  interface Future {
    v3_singleFetch: true;
  }
}
