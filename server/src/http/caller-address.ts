// Determines the client address of requests outside the framework, such as WebSocket upgrades.
import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** Like the framework, trusts only X-Forwarded-For entries added by trusted proxies (addresses or CIDRs). */
export function callerAddress(trustedProxies: string[]): (request: IncomingMessage) => string {
  const trusts = trustedProxies.length > 0 ? proxyAddress.compile(trustedProxies) : () => false;
  return (request) => proxyAddress(request, trusts);
}
