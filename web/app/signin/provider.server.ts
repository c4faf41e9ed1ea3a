// Client of the OpenID provider: discovery once per issuer, requests through the context's fetch.
import * as oidc from 'openid-client';
import type { ConsoleContext } from '../context.ts';

type ProviderContext = Pick<ConsoleContext, 'issuer' | 'clientId' | 'fetch'>;

const configurations = new Map<string, Promise<oidc.Configuration>>();

/** Returns the provider configuration. A failed discovery is not cached. */
export function oidcProvider(context: ProviderContext): Promise<oidc.Configuration> {
  const key = `${context.issuer} ${context.clientId}`;
  const cached = configurations.get(key);
  if (cached) return cached;
  const configuration = discover(context);
  configurations.set(key, configuration);
  configuration.catch(() => configurations.delete(key));
  return configuration;
}

async function discover(context: ProviderContext): Promise<oidc.Configuration> {
  const issuer = new URL(context.issuer);
  const configuration = await oidc.discovery(issuer, context.clientId, undefined, oidc.None(), {
    // The embedded provider of a local console uses plain HTTP; an https issuer keeps the library's checks.
    execute: issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    [oidc.customFetch]: (url, init) => context.fetch(url, init as RequestInit),
    timeout: 20,
  });
  return configuration;
}
