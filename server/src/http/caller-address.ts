// The network address that a request comes from, where no framework tells it: an upgrade to a socket.
import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** As the framework finds it: of X-Forwarded-For only what trusted proxies, by address or CIDR, have added is believed. */
export function callerAddress(trustedProxies: string[]): (request: IncomingMessage) => string {
  const trusts = trustedProxies.length > 0 ? proxyAddress.compile(trustedProxies) : () => false;
  return (request) => proxyAddress(request, trusts);
}
