// What the server that mounts the console hands to every request.
import type { Fetch } from '@yagura/core/http/transport';

export interface ConsoleContext {
  /** Calls to `origin` (API and identity provider) are served in process. */
  fetch: Fetch;
  /** Public URL of the console without a trailing slash. */
  origin: string;
  /** Issuer of the OpenID provider. */
  issuer: string;
  clientId: string;
  /** At least 32 random bytes; the keys of the cookies are derived from it. */
  cookieSecret: Uint8Array;
  /** Nonce of the content security policy; fresh for every request. */
  nonce: string;
  /** Writes an error to the server's log. */
  logError(error: unknown): void;
  /** Version of the product. */
  version: string;
  /** Where the help menu leads; what is absent is left out. `planSupport` holds for plans whose name contains the marker. */
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
