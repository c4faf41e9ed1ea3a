// Reads what can be known about a found host, and says where each part was read.

import { inventoryLimits } from '@yagura/core/inventory/host-inventory';
import type { ScanRefusal } from '@yagura/core/ksocket/agent-protocol';
import { credentialPorts } from '@yagura/core/ksocket/credential-file';
import type { ReverseLookup } from '../discover/reverse-names.ts';
import type { HostReader } from '../scan/active-scan.ts';
import type { ReadHost } from '../scan/merge-hosts.ts';
import { type Credential, credentialsFor } from '../settings/credential-files.ts';
import type { CredentialUseLog } from '../state/credential-uses.ts';
import type { KnownHosts } from '../state/known-hosts.ts';
import { type Attempt, trySignIns } from './credential-health.ts';
import type { Evidence, HostPart } from './host-part.ts';
import { mergeParts, type ReadPart } from './merge-parts.ts';
import { isOwnAddress, type readOwnMachine } from './own-machine.ts';
import { serviceName } from './service-names.ts';
import { readBySnmp } from './snmp/read-by-snmp.ts';
import { portClosed } from './snmp/snmp-fault.ts';
import type { SnmpLimits } from './snmp/snmp-limits.ts';
import { readBySsh, readHostKey } from './ssh/read-by-ssh.ts';
import { arpSections } from './ssh/ssh-script.ts';
import { readByWsman, wsmanPort } from './windows/read-by-wsman.ts';

export function createHostReader(deps: {
  credentials: readonly Credential[];
  lookup: ReverseLookup;
  now(): number;
  /** Keys of the first sign-ins; without it, any key is accepted. */
  hostKeys?: KnownHosts | undefined;
  /** The port on which a host key is read without an account. */
  sshPort?: number;
  /** Whether the site permits outdated ssh algorithms with an address; with none by default. */
  isLegacySsh?(address: string): boolean;
  /** Reads the machine of the agent; without it, that machine is read like the others. */
  readOwn?: typeof readOwnMachine;
  snmpLimits?: Partial<SnmpLimits>;
  /** Told of each use of a credential file. */
  uses?: Pick<CredentialUseLog, 'note'>;
}): HostReader {
  const { credentials, lookup, now, hostKeys, sshPort = 22, readOwn, snmpLimits, uses } = deps;
  const { isLegacySsh = () => false } = deps;
  const at = () => new Date(now()).toISOString();
  return async (found, context) => {
    const { address, macaddr, ports, isPinged } = found;
    const { signal, only } = context;
    const isLegacy = isLegacySsh(address);
    const names = only ? [] : await lookup(address);
    const sections = only === 'arp' ? arpSections : undefined;
    const foundBy = macaddr !== undefined ? 'arp' : isPinged ? 'icmp' : 'tcp';
    const foundAt = new Date(found.at).toISOString();
    const evidence: Evidence[] = [
      { group: 'addresses', source: foundBy, at: foundAt },
      { group: 'services', source: 'tcp', at: foundAt },
    ];
    const refusals: ScanRefusal[] = [];
    const parts: ReadPart[] = [];
    const add = (part: HostPart, credential?: string) => {
      parts.push({ part, at: at(), credential });
      if (!only && hasFullList(part))
        refusals.push({ addr: address, protocol: part.source, code: 'LIST_TOO_LONG', credential });
    };
    /** What the first account that works gives; refusals of the others are kept. */
    const signIn = async <T>(
      accounts: readonly Credential[],
      attempt: (credential: Credential) => Promise<Attempt<T>>,
    ) => {
      const result = await trySignIns(accounts, address, context.failures, attempt);
      // A port on which nothing listens refuses nobody.
      const refused = result.refusals.filter(({ code }) => code !== portClosed);
      refusals.push(...refused);
      uses?.note(address, result.credential, refused);
      return result;
    };
    const own = readOwn && isOwnAddress(address) ? await readOwn(signal, sections) : undefined;
    if (own) add(own);
    // The machine that was read without a sign-in is not signed in to.
    const ssh = own ? [] : credentialsFor(credentials, 'ssh', address);
    const reachableSsh = ssh.filter(({ port }) => ports.includes(port));
    if (reachableSsh.length > 0) {
      const { value, credential } = await signIn(reachableSsh, async (account) => {
        await context.admit(address);
        return readBySsh(account, { address, isLegacy }, signal, hostKeys, sections);
      });
      if (value) add(value, credential);
    } else if (!only && ports.includes(sshPort)) {
      await context.admit(address);
      const key = await readHostKey({ address, port: sshPort, isLegacy }, signal);
      if (key) add(key);
    }
    if (!only && !parts.some(({ part }) => part.groups.length > 0)) {
      const winrm = credentialsFor(credentials, 'winrm', address);
      const reachable = winrm.filter((credential) => ports.includes(wsmanPort(credential)));
      const { value, credential } = await signIn(reachable, async (account) => {
        await context.admit(address);
        return readByWsman(account, address, signal, hostKeys);
      });
      if (value) add(value, credential);
      if (winrm[0] && reachable.length === 0 && ports.includes(credentialPorts.winrm))
        refusals.push({
          ...{ addr: address, protocol: 'winrm', code: 'ENCRYPTION_REQUIRED', credential: winrm[0].file },
        });
    }
    const has = new Set(parts.flatMap(({ part }) => part.groups));
    const { value, credential } = await signIn(credentialsFor(credentials, 'snmp', address), (account) =>
      readBySnmp(account, address, {
        ...{ signal, has },
        ...(snmpLimits ? { limits: snmpLimits } : {}),
        ...(only ? { only } : {}),
        admit: () => context.admit(address),
      }),
    );
    if (value) {
      add(value.part, credential);
      for (const code of value.codes) refusals.push({ addr: address, protocol: 'snmp', code, credential });
    }
    signal.throwIfAborted();
    return assemble(found, names, parts, evidence, refusals);
  };
}

/** Whether a list has as many rows as are reported: there may be more of them. */
const hasFullList = ({ fields }: HostPart): boolean =>
  limitedLists.some((name) => (fields[name] ?? []).length >= inventoryLimits[name]);
const limitedLists = ['interfaces', 'routes', 'listening', 'neighbors'] as const;

function assemble(
  { address, macaddr, ports }: Parameters<HostReader>[0],
  names: readonly string[],
  read: readonly ReadPart[],
  found: readonly Evidence[],
  refusals: ScanRefusal[],
): ReadHost {
  const { fields, evidence } = mergeParts(read);
  const parts = read.map(({ part }) => part);
  const arp = read.flatMap(({ part, at, credential }) =>
    (part.arp ?? []).map((one) => ({ ...one, at, credential })),
  );
  const ownAddresses = parts.flatMap((part) => part.ownAddresses);
  const subnet = ownAddresses.find(({ addr }) => addr === address)?.subnet;
  const own = parts.flatMap(({ hostname }) => (hostname === undefined ? [] : [hostname]));
  return {
    address,
    ownAddresses,
    identities: [
      ...(macaddr === undefined ? [] : [`mac:${macaddr}`]),
      ...parts.flatMap((part) => part.identities),
    ],
    ports,
    ...(parts.some((part) => part.arp) ? { arp } : {}),
    host: {
      ...fields,
      addresses: [
        {
          addr: address,
          ...(macaddr === undefined ? {} : { macaddr }),
          ...(subnet === undefined ? {} : { subnet }),
          hostnames: [...new Set([...names, ...own])].map((hostname) => ({ hostname })),
          services: [
            ...ports.map((port) => ({ name: serviceName(port), port, proto: 'tcp' as const })),
            ...parts.flatMap(({ service }) => (service ? [service] : [])),
          ],
        },
      ],
      evidence: [...found, ...evidence],
    },
    refusals,
  };
}
