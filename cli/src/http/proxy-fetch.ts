// Connects through a proxy; loaded only when the environment names one.
import { type Dispatcher, EnvHttpProxyAgent, fetch } from 'undici';
import type { ProxyServer } from './proxy.ts';

export async function fetchThrough(proxy: ProxyServer, url: string, init: RequestInit): Promise<Response> {
  return (await fetch(url, {
    ...(init as Parameters<typeof fetch>[1]),
    dispatcher: proxyDispatcher(proxy),
  })) as unknown as Response;
}

/** Connects every request through the proxy. Throws when its URL is not valid. */
export function proxyDispatcher({ url }: ProxyServer): Dispatcher {
  return new EnvHttpProxyAgent({ httpProxy: url, httpsProxy: url, noProxy: '' });
}
