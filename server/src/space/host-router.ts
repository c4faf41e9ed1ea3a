// Routes a request to its space by host name.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import { hostOfHeader } from '../identity/host-name.ts';
import { matchesAddress } from './ip-guard.ts';
import type { HostedSpace } from './space-directory.ts';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export class HostRouter<Space extends { hosted: HostedSpace }> {
  private readonly proxies: { address: string; remarks: string }[];
  private readonly ownHosts: readonly string[];
  private byHost = new Map<string, Space>();
  private onlySpace: Space | undefined;

  /** `trustedProxies`: addresses and CIDRs whose X-Forwarded-Host header is trusted. */
  constructor(publicUrl: string, trustedProxies: readonly string[]) {
    this.proxies = trustedProxies.map((address) => ({ address, remarks: '' }));
    const own = new URL(publicUrl).hostname;
    this.ownHosts = loopback.includes(own) ? loopback : [own];
  }

  /** Replaces the served spaces. The server's own host name never maps to another space. */
  setSpaces(spaces: readonly Space[]): void {
    this.byHost = new Map();
    for (const space of spaces) {
      const { host } = space.hosted;
      for (const name of host === null ? this.ownHosts : [host])
        if (host === null || !this.ownHosts.includes(name)) this.byHost.set(name, space);
    }
    this.onlySpace = spaces.length === 1 && spaces[0]!.hosted.host === null ? spaces[0] : undefined;
  }

  /** The space of a request; with a single space any host name matches. */
  route(request: IncomingMessage): Space | undefined {
    if (this.onlySpace) return this.onlySpace;
    const host = hostOfHeader(this.requestedHost(request));
    return host === undefined ? undefined : this.byHost.get(host);
  }

  private requestedHost({ headers, socket }: IncomingMessage): string | undefined {
    const forwarded = headers['x-forwarded-host'];
    if (forwarded === undefined || !matchesAddress(this.proxies, socket.remoteAddress ?? ''))
      return headers.host;
    // The last entry was added by the nearest proxy.
    return String(forwarded).split(',').at(-1);
  }
}

/** The reply for every unknown host name; it does not reveal which ones exist. */
export const misdirectedProblem = () =>
  new Problem('misdirected', { detail: 'nothing is served at this host name' });

export function sendMisdirected(response: ServerResponse, headers: Record<string, string>): void {
  const problem = misdirectedProblem();
  response.writeHead(problem.status, {
    ...headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    // Do not read the rest of the request.
    connection: 'close',
  });
  response.end(JSON.stringify(problem.toJSON()));
}
