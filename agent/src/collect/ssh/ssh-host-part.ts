// What the sections of the script say about a host: Linux, the BSDs and macOS.
import { agentLimits, type ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import { identifyingEntries, parseIpNeighbor } from '../../read/arp.ts';
import { footprintOf } from '../../read/footprint.ts';
import { parseCpuinfo, parseDmi, parseMeminfo, parseStorage } from '../../read/hardware.ts';
import {
  type Interface,
  macIdentities,
  ownAddressesOf,
  parseIfconfig,
  parseIpAddress,
  parseIpText,
} from '../../read/interfaces.ts';
import {
  type ListeningPort,
  parseBsdNetstat,
  parseLsof,
  parseNetstat,
  parseSockstat,
  parseSs,
  withProcesses,
} from '../../read/listening.ts';
import {
  type Hardware,
  parseBsdHardware,
  parseMacHardware,
  parseSwVers,
  parseSysctl,
} from '../../read/other-hardware.ts';
import {
  type Package,
  parseApk,
  parseApplications,
  parseDpkg,
  parsePkg,
  parsePkgInfo,
  parseRpm,
} from '../../read/packages.ts';
import {
  defaultGateways,
  parseIpRoute,
  parseNetstatRoutes,
  parseProcRoute,
  type Route,
} from '../../read/routes.ts';
import { cleanValue, definedMembers, readAssignments } from '../../read/text.ts';
import type { HostPart } from '../host-part.ts';

type Text = (name: string) => string | undefined;

/** The sections of the script as fields of a host. A section that has no output was not read. */
export function toHostPart(sections: ReadonlyMap<string, string>, hostKey: string): HostPart {
  const text: Text = (name) => sections.get(name);
  const fields: HostPart['fields'] = {};
  const groups: HostPart['groups'] = [];
  const add = <K extends 'interfaces' | 'routes' | 'listening' | 'packages'>(
    group: K,
    rows: ScannedHostInput[K],
  ) => {
    if (rows === undefined) return;
    fields[group] = rows;
    groups.push(group);
  };

  const interfaces = interfacesOf(text);
  if (interfaces.length > 0) add('interfaces', interfaces);
  add('routes', routesOf(text));
  add('listening', listeningOf(text));
  const packages = packagesOf(text);
  if (packages.length > 0) add('packages', packages.slice(0, agentLimits.packagesPerHost));

  const [family = '', release, version] = (text('uname') ?? '').split('\n').map((line) => cleanValue(line));
  const { serial, uuid, ...hardware } = hardwareOf(family, text);
  const system = family === 'Darwin' ? parseSwVers(text('sw-vers')) : osRelease(text('os-release'));
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
        ...hardware,
        networking: defaultGateways(fields.routes),
      }),
    };
  }
  const footprint = footprintOf(uuid);
  fields.signatures = { sshHostKey: hostKey, ...(footprint === undefined ? {} : { footprint }) };
  return {
    ...{ fields, groups, source: 'ssh', ownAddresses: ownAddressesOf(interfaces) },
    identities: [
      `key:${hostKey}`,
      ...(footprint === undefined ? [] : [`id:${footprint}`]),
      ...macIdentities(interfaces),
    ],
    ...(isRead(text('ip-neighbor'))
      ? { arp: identifyingEntries(parseIpNeighbor(text('ip-neighbor')), interfaces) }
      : {}),
  };
}

/** Whether a section has output. */
function isRead(text: string | undefined): text is string {
  return (text?.trim() ?? '') !== '';
}

function interfacesOf(text: Text): Interface[] {
  if (isRead(text('ip-address'))) return parseIpAddress(text('ip-address'));
  if (isRead(text('ip-text'))) return parseIpText(text('ip-text'));
  return parseIfconfig(text('ifconfig'));
}

function routesOf(text: Text): Route[] | undefined {
  if (isRead(text('ip-route'))) return parseIpRoute(text('ip-route'));
  if (text('proc-route')?.startsWith('Iface')) return parseProcRoute(text('proc-route'));
  return /^Destination /m.test(text('netstat-routes') ?? '')
    ? parseNetstatRoutes(text('netstat-routes'))
    : undefined;
}

function listeningOf(text: Text): ListeningPort[] | undefined {
  if (isRead(text('ss'))) return parseSs(text('ss'));
  if (/^Proto /m.test(text('netstat') ?? '')) return parseNetstat(text('netstat'));
  if (/^USER /m.test(text('sockstat') ?? '')) return parseSockstat(text('sockstat'));
  const named = parseLsof(text('lsof'));
  if (/^Proto /m.test(text('netstat-sockets') ?? ''))
    return withProcesses(parseBsdNetstat(text('netstat-sockets')), named);
  return named.length > 0 ? named : undefined;
}

function packagesOf(text: Text): Package[] {
  return [
    ...parseDpkg(text('dpkg') ?? ''),
    ...parseRpm(text('rpm') ?? ''),
    ...parseApk(text('apk') ?? ''),
    ...parsePkg(text('pkg') ?? ''),
    ...parsePkgInfo(text('pkg-info') ?? ''),
    ...parseApplications(text('applications') ?? ''),
  ];
}

function hardwareOf(family: string, text: Text): Hardware {
  const values = parseSysctl(text('sysctl'));
  if (family === 'Darwin')
    return parseMacHardware(values, text('ioreg'), text('system-profiler'), text('system-profiler-storage'));
  if (family !== 'Linux') return parseBsdHardware(values, text('kenv'), text('geom'));
  return {
    ...parseDmi(text('dmi')),
    cpu: parseCpuinfo(text('cpuinfo')),
    memory: parseMeminfo(text('meminfo')),
    storage: parseStorage(text('storage')),
    uuid: text('machine-id'),
  };
}

function osRelease(text: string | undefined): { name?: string | undefined; version?: string | undefined } {
  const values = readAssignments(text ?? '');
  return {
    name: cleanValue(values.get('NAME')),
    version: cleanValue(values.get('VERSION') ?? values.get('VERSION_ID') ?? values.get('PRETTY_NAME'), 1024),
  };
}
