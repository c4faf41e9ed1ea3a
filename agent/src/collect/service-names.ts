/** Names of well-known TCP ports (IANA), as shown beside a host. */
const names: Readonly<Record<number, string>> = {
  21: 'ftp',
  22: 'ssh',
  23: 'telnet',
  25: 'smtp',
  53: 'domain',
  80: 'http',
  110: 'pop3',
  135: 'epmap',
  139: 'netbios-ssn',
  143: 'imap',
  389: 'ldap',
  443: 'https',
  445: 'microsoft-ds',
  631: 'ipp',
  1433: 'ms-sql-s',
  1521: 'oracle',
  3306: 'mysql',
  3389: 'ms-wbt-server',
  5432: 'postgresql',
  5900: 'rfb',
  5985: 'wsman',
  5986: 'wsmans',
  6379: 'redis',
  8080: 'http-alt',
  8443: 'https-alt',
  9100: 'pdl-datastream',
};

/** A port that has no name keeps its number. */
export function serviceName(port: number): string {
  return names[port] ?? `tcp-${port}`;
}
