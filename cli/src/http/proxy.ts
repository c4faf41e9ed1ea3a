// Selects the proxy of a URL from the usual environment variables.

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
  const isDirect = direct.some((rule) => {
    if (rule === '*') return true;
    const [host = '', port] = rule
      .toLowerCase()
      .replace(/^\*?\./, '')
      .split(':');
    if (port && port !== (url.port || (secure ? '443' : '80'))) return false;
    return url.hostname === host || url.hostname.endsWith(`.${host}`);
  });
  return isDirect ? undefined : { url: address.includes('://') ? address : `http://${address}`, variable };
}

/** The URL of a proxy as shown to users, without name and password. */
export function withoutPassword(url: string): string {
  return url.replace(/^([^:/]+:\/\/)[^/]*@/, '$1');
}
