// Selects the proxy of a URL from the usual environment variables.
import { BlockList, isIP } from 'node:net';
import { withoutBrackets } from '@yagura/core/validation/ip';

export interface ProxyServer {
  /** URL of the proxy, possibly with a password. */
  url: string;
  /** Environment variable that names the proxy. */
  variable: string;
}

/** The proxy that the environment names for this URL, as curl does: `host:port` is an HTTP proxy. */
export function proxyOf(url: URL, env: NodeJS.ProcessEnv): ProxyServer | undefined {
  const secure = url.protocol === 'https:';
  const names = secure ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = names.find((name) => env[name] !== undefined);
  const address = variable && env[variable];
  if (!variable || !address) return undefined;
  const direct = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter(Boolean);
  const server = { host: withoutBrackets(url.hostname), port: url.port || (secure ? '443' : '80') };
  return direct.some((rule) => isNamedBy(rule.toLowerCase(), server))
    ? undefined
    : { url: address.includes('://') ? address : `http://${address}`, variable };
}

/** Whether an entry of NO_PROXY names the server: `*`, a domain, an address with or without a port, or a range of addresses. */
function isNamedBy(rule: string, { host, port }: { host: string; port: string }): boolean {
  if (rule === '*') return true;
  const [, network = '', prefix] = /^(.+)\/(\d{1,3})$/.exec(rule) ?? [];
  if (prefix) return isInRange(host, withoutBrackets(network), Number(prefix));
  // An IPv6 address has colons of its own.
  const [, named = '', namedPort] = isIP(rule) ? ['', rule] : (/^(.*?)(?::(\d+))?$/.exec(rule) ?? []);
  if (namedPort && namedPort !== port) return false;
  const domain = withoutBrackets(named).replace(/^\*?\./, '');
  return isIP(domain) === 6 ? isInRange(host, domain, 128) : host === domain || host.endsWith(`.${domain}`);
}

function isInRange(host: string, network: string, prefix: number): boolean {
  const version = isIP(network);
  if (version === 0 || isIP(host) !== version || prefix > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(network, prefix, family);
  return range.check(host, family);
}

/** The URL of a proxy as shown to users, without name and password. */
export function withoutPassword(url: string): string {
  return url.replace(/^([^:/]+:\/\/)[^/]*@/, '$1');
}
