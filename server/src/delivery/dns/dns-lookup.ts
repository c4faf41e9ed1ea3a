/**
 * Resolves host names for outgoing connections: from the hosts file, then from DNS, then with the system resolver. DNS
 * queries block no thread, so names whose servers do not respond never delay the lookup of others.
 */
import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type ResolvedAddress, type ResolveHost, shareByName } from './resolve-host.ts';
import { createSystemLookup } from './system-lookup.ts';

/** By default those of the machine. */
interface DnsLookupOptions {
  hostsFile?: string;
  /** Addresses of DNS servers, with or without a port. */
  servers?: string[];
  system?: ResolveHost;
}

/** Milliseconds that a lookup may take, well below the time limit of a connection. */
const lookupTimeoutMs = 5000;
/** Milliseconds after which a DNS server is asked again, once. */
const queryTimeoutMs = 2000;
/** DNS errors (c-ares) that took long: the system resolver would block a thread while it asks the same servers. */
const slowErrors = new Set(['ETIMEOUT', 'ESERVFAIL']);

/**
 * Creates a resolver with one lookup per name at a time, which rejects with ETIMEOUT after five seconds. The system
 * resolver is asked only for names that DNS does not have: it may know them from search domains or mDNS.
 */
export function createDnsLookup(options: DnsLookupOptions = {}): ResolveHost {
  const { hostsFile = '/etc/hosts', servers, system = createSystemLookup() } = options;
  return shareByName((name) => withTimeout(name, lookUp(name)));

  async function lookUp(name: string): Promise<ResolvedAddress[]> {
    const local = findInHostsFile(await readFile(hostsFile, 'utf8').catch(() => ''), name);
    if (local.length > 0) return local;
    const { addresses, errors } = await queryDns(name, servers);
    if (addresses.length > 0) return addresses;
    const slow = errors.find(({ code }) => slowErrors.has(code ?? ''));
    if (slow) throw slow;
    return system(name);
  }
}

/** Lines of an address, a name and its aliases; comments begin with `#` (hosts(5)). */
function findInHostsFile(text: string, name: string): ResolvedAddress[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    return family > 0 && names.includes(name) ? [{ address, family }] : [];
  });
}

/** Queries both families; IPv4 comes first, since a connection over IPv6 may wait in vain where there is no route. */
async function queryDns(
  name: string,
  servers: string[] | undefined,
): Promise<{ addresses: ResolvedAddress[]; errors: NodeJS.ErrnoException[] }> {
  // A resolver of its own, because the servers of the machine may change.
  const resolver = new dns.Resolver({ timeout: queryTimeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return {
    addresses: answers
      .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      .map((address) => ({ address, family: isIP(address) })),
    errors: answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])),
  };
}

function withTimeout(name: string, lookup: Promise<ResolvedAddress[]>): Promise<ResolvedAddress[]> {
  return new Promise((resolve, reject) => {
    const error = Object.assign(new Error(`The lookup of ${name} took too long`), { code: 'ETIMEOUT' });
    const timer = setTimeout(() => reject(error), lookupTimeoutMs);
    lookup.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
