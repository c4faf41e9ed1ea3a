// Fetches through a proxy; loaded only when the environment names one.
import type { Fetch } from '@yagura/core/http/transport';
import { EnvHttpProxyAgent, fetch } from 'undici';

export const proxyFetch: Fetch = async (url, init) =>
  (await fetch(url, {
    ...(init as Parameters<typeof fetch>[1]),
    dispatcher: new EnvHttpProxyAgent(),
  })) as unknown as Response;
