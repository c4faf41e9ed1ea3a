// Reads a host by ssh: Linux completely, other systems as far as they have the same commands.
import { createHmac } from 'node:crypto';
import { agentLimits, type ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import { identifyingEntries, parseIpNeighbor } from '../../read/arp.ts';
import { parseCpuinfo, parseDmi, parseMeminfo, parseStorage } from '../../read/hardware.ts';
import { ownAddressesOf, parseIfconfig, parseIpAddress } from '../../read/interfaces.ts';
import { parseNetstat, parseSs } from '../../read/listening.ts';
import { type Package, parseApk, parseDpkg, parseRpm } from '../../read/packages.ts';
import { parseIpRoute, parseProcRoute } from '../../read/routes.ts';
import { cleanValue, definedMembers, readAssignments } from '../../read/text.ts';
import type { Credential } from '../../settings/credential-files.ts';
import type { Attempt } from '../credential-health.ts';
import type { HostPart } from '../host-part.ts';
import { fetchHostKey, runSshScript } from './ssh-session.ts';

/** Reads with one account. */
export async function readBySsh(
  { account, port, privateKey }: Credential,
  address: string,
  signal: AbortSignal,
): Promise<Attempt<HostPart>> {
  const { username, password, passphrase } = account;
  const auth =
    privateKey === undefined ? { password } : { privateKey, ...(passphrase === '' ? {} : { passphrase }) };
  const result = await runSshScript({ address, port, username, ...auth }, signal);
  return 'code' in result ? result : { value: toHostPart(result.value.sections, result.value.hostKey) };
}

/** What a host shows without an account: its key. */
export async function readHostKey(
  address: string,
  port: number,
  signal: AbortSignal,
): Promise<HostPart | undefined> {
  const hostKey = await fetchHostKey({ address, port }, signal);
  return hostKey === undefined
    ? undefined
    : {
        fields: { signatures: { sshHostKey: hostKey } },
        ...{ groups: [], source: 'ssh', ownAddresses: [], identities: [`key:${hostKey}`] },
      };
}

/** The sections of the script as fields of a host. A section that has no output was not read. */
export function toHostPart(sections: ReadonlyMap<string, string>, hostKey: string): HostPart {
  const text = (name: string) => sections.get(name);
  const isRead = (name: string) => (text(name)?.trim() ?? '') !== '';
  const fields: HostPart['fields'] = {};
  const groups: HostPart['groups'] = [];
  const add = <K extends 'interfaces' | 'routes' | 'listening' | 'packages'>(
    group: K,
    rows: NonNullable<ScannedHostInput[K]>,
  ) => {
    fields[group] = rows as never;
    groups.push(group);
  };

  const interfaces = isRead('ip-address')
    ? parseIpAddress(text('ip-address'))
    : parseIfconfig(text('ifconfig'));
  if (interfaces.length > 0) add('interfaces', interfaces);
  if (isRead('ip-route')) add('routes', parseIpRoute(text('ip-route')));
  else if (text('proc-route')?.startsWith('Iface')) add('routes', parseProcRoute(text('proc-route')));
  if (isRead('ss')) add('listening', parseSs(text('ss')));
  else if (/^Proto /m.test(text('netstat') ?? '')) add('listening', parseNetstat(text('netstat')));
  const packages = packagesOf(text);
  if (packages.length > 0) add('packages', packages.slice(0, agentLimits.packagesPerHost));

  const [family = '', release, version] = (text('uname') ?? '').split('\n').map((line) => cleanValue(line));
  const { serial, ...dmi } = parseDmi(text('dmi'));
  const system = osRelease(text('os-release'));
  if (family !== '') {
    fields.system = {
      family: system.name ?? family,
      version: system.version ?? release ?? '',
      ...(serial === undefined ? {} : { serial }),
    };
    groups.push('system');
    fields.extraFields = {
      ...definedMembers({
        kernel: definedMembers({ name: family, release, version }),
        ...dmi,
        cpu: parseCpuinfo(text('cpuinfo')),
        memory: parseMeminfo(text('meminfo')),
        storage: parseStorage(text('storage')),
        networking: defaultGateways(fields.routes),
      }),
    };
  }
  const footprint = footprintOf(text('machine-id'));
  fields.signatures = { sshHostKey: hostKey, ...(footprint === undefined ? {} : { footprint }) };
  const macs = interfaces.flatMap(({ macaddr }) => (macaddr ? [`mac:${macaddr}`] : []));
  return {
    fields,
    groups,
    source: 'ssh',
    ownAddresses: ownAddressesOf(interfaces),
    identities: [`key:${hostKey}`, ...(footprint === undefined ? [] : [`id:${footprint}`]), ...new Set(macs)],
    ...(isRead('ip-neighbor')
      ? { arp: identifyingEntries(parseIpNeighbor(text('ip-neighbor')), interfaces) }
      : {}),
  };
}

function packagesOf(text: (name: string) => string | undefined): Package[] {
  return [...parseDpkg(text('dpkg') ?? ''), ...parseRpm(text('rpm') ?? ''), ...parseApk(text('apk') ?? '')];
}

function osRelease(text: string | undefined): { name?: string; version?: string } {
  const values = readAssignments(text ?? '');
  return {
    name: cleanValue(values.get('NAME')),
    version: cleanValue(values.get('VERSION') ?? values.get('VERSION_ID') ?? values.get('PRETTY_NAME'), 1024),
  };
}

function defaultGateways(routes: ScannedHostInput['routes']) {
  const found = (routes ?? []).flatMap(({ destination, gateway, ifname }) =>
    destination === '0.0.0.0/0' && gateway
      ? [{ addr: gateway, ...(ifname ? { interface: ifname } : {}) }]
      : [],
  );
  return found.length > 0 ? { defaultGateways: found } : undefined;
}

/** The machine id must not leave the machine as it is (machine-id(5)), so a keyed hash of it does. */
function footprintOf(text: string | undefined): string | undefined {
  const id = text?.trim() ?? '';
  return /^[\da-f]{32}$/.test(id)
    ? createHmac('sha256', 'yagura footprint').update(id).digest('hex')
    : undefined;
}
