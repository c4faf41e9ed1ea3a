// Reads what can be known about a found host, and says where each part was read.
import type { ScannedHostInput, ScanRefusal } from '@yagura/core/ksocket/agent-protocol';
import { credentialPorts } from '@yagura/core/ksocket/credential-file';
import type { ReverseLookup } from '../discover/reverse-names.ts';
import type { HostReader } from '../scan/active-scan.ts';
import type { ReadHost } from '../scan/merge-hosts.ts';
import { type Credential, credentialsFor } from '../settings/credential-files.ts';
import type { KnownHosts } from '../state/known-hosts.ts';
import { trySignIns } from './credential-health.ts';
import type { Evidence, HostPart } from './host-part.ts';
import { serviceName } from './service-names.ts';
import { readBySsh, readHostKey } from './ssh/read-by-ssh.ts';
import { readByWsman, wsmanPort } from './windows/read-by-wsman.ts';

export function createHostReader(deps: {
  credentials: readonly Credential[];
  lookup: ReverseLookup;
  now(): number;
  /** Keys of the first sign-ins; without it, any key is accepted. */
  hostKeys?: KnownHosts | undefined;
  /** The port on which a host key is read without an account. */
  sshPort?: number;
}): HostReader {
  const { credentials, lookup, now, hostKeys, sshPort = 22 } = deps;
  const at = () => new Date(now()).toISOString();
  return async (found, context) => {
    const { address, macaddr, ports, isPinged } = found;
    const names = await lookup(address);
    const foundBy = macaddr !== undefined ? 'arp' : isPinged ? 'icmp' : 'tcp';
    const foundAt = new Date(found.at).toISOString();
    const evidence: Evidence[] = [
      { group: 'addresses', source: foundBy, at: foundAt },
      { group: 'services', source: 'tcp', at: foundAt },
    ];
    const refusals: ScanRefusal[] = [];
    const parts: HostPart[] = [];
    const add = (part: HostPart, credential?: string) => {
      parts.push(part);
      const taken = new Set(evidence.map(({ group }) => group));
      for (const group of part.groups)
        if (!taken.has(group)) evidence.push({ group, source: part.source, at: at(), credential });
    };
    const ssh = credentialsFor(credentials, 'ssh', address).filter(({ port }) => ports.includes(port));
    if (ssh.length > 0) {
      const result = await trySignIns(ssh, address, context.failures, async (credential) => {
        await context.admit(address);
        return readBySsh(credential, address, context.signal, hostKeys);
      });
      refusals.push(...result.refusals);
      if (result.value) add(result.value, result.credential);
    } else if (ports.includes(sshPort)) {
      await context.admit(address);
      const key = await readHostKey(address, sshPort, context.signal);
      if (key) add(key);
    }
    if (!parts.some(({ groups }) => groups.length > 0)) {
      const winrm = credentialsFor(credentials, 'winrm', address);
      const reachable = winrm.filter((credential) => ports.includes(wsmanPort(credential)));
      const result = await trySignIns(reachable, address, context.failures, async (credential) => {
        await context.admit(address);
        return readByWsman(credential, address, context.signal, hostKeys);
      });
      refusals.push(...result.refusals);
      if (result.value) add(result.value, result.credential);
      if (winrm[0] && reachable.length === 0 && ports.includes(credentialPorts.winrm))
        refusals.push({
          ...{ addr: address, protocol: 'winrm', code: 'ENCRYPTION_REQUIRED', credential: winrm[0].file },
        });
    }
    context.signal.throwIfAborted();
    return assemble(found, names, parts, evidence, refusals);
  };
}

/** Earlier parts win over later ones, field by field. */
function assemble(
  { address, macaddr, ports }: Parameters<HostReader>[0],
  names: readonly string[],
  parts: readonly HostPart[],
  evidence: Evidence[],
  refusals: ScanRefusal[],
): ReadHost {
  const fields: Partial<ScannedHostInput> = {};
  for (const part of parts) {
    const { signatures, ...rest } = part.fields;
    for (const [name, value] of Object.entries(rest)) (fields as Record<string, unknown>)[name] ??= value;
    fields.signatures = { ...signatures, ...fields.signatures };
  }
  const ownAddresses = parts.flatMap((part) => part.ownAddresses);
  const subnet = ownAddresses.find(({ addr }) => addr === address)?.subnet;
  return {
    address,
    ownAddresses,
    identities: [
      ...(macaddr === undefined ? [] : [`mac:${macaddr}`]),
      ...parts.flatMap((part) => part.identities),
    ],
    host: {
      ...fields,
      addresses: [
        {
          addr: address,
          ...(macaddr === undefined ? {} : { macaddr }),
          ...(subnet === undefined ? {} : { subnet }),
          hostnames: names.map((hostname) => ({ hostname })),
          services: ports.map((port) => ({ name: serviceName(port), port, proto: 'tcp' as const })),
        },
      ],
      evidence,
    },
    refusals,
  };
}
