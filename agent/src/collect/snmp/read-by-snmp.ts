// Reads a host by SNMP with one account.
import type { KnownExtraFields } from '@yagura/core/inventory/host-inventory';
import { identifyingEntries, type LearnedMac } from '../../read/arp.ts';
import { macIdentities, ownAddressesOf } from '../../read/interfaces.ts';
import { readArp } from '../../read/snmp/arp.ts';
import { readInterfaces, readPortAddresses, readPorts } from '../../read/snmp/interfaces.ts';
import {
  listeningProcesses,
  noListeningTables,
  openPorts,
  readListening,
} from '../../read/snmp/listening.ts';
import { readCidrRoutes, readInetCidrRoutes, readOldRoutes } from '../../read/snmp/routes.ts';
import {
  readDeviceTypes,
  readFamily,
  readHardware,
  readInstalled,
  readKernel,
  readProduct,
} from '../../read/snmp/system.ts';
import { countOf, emptyTable, type SnmpValue, textOf } from '../../read/snmp/values.ts';
import { definedMembers } from '../../read/text.ts';
import type { Credential } from '../../settings/credential-files.ts';
import type { Attempt } from '../credential-health.ts';
import type { HostPart } from '../host-part.ts';
import { hrRunName, scalars } from './oids.ts';
import { readLayer2 } from './read-layer2.ts';
import { accountForVlan, accountsOf } from './snmp-account.ts';
import { SnmpFault } from './snmp-fault.ts';
import { defaultLimits, type SnmpLimits, SnmpUsage } from './snmp-limits.ts';
import { type SessionDeps, SnmpSession, type SnmpTarget } from './snmp-session.ts';
import { TableReader } from './table-reader.ts';

/** Processes whose names are asked for. */
const maxProcesses = 512;
const namesPerRequest = 32;
const routeReaders = {
  inetCidrRoutes: readInetCidrRoutes,
  cidrRoutes: readCidrRoutes,
  oldRoutes: readOldRoutes,
};

export interface SnmpContext {
  /** Resolves when one packet may be sent; rejects if the policy does not permit it. */
  admit(): Promise<void>;
  signal: AbortSignal;
  /** Groups that were read better already. */
  has: ReadonlySet<HostPart['groups'][number]>;
  /** Reads only as much as is needed for the ARP table of a router. */
  only?: 'arp';
  limits?: Partial<SnmpLimits>;
}

export interface SnmpReading {
  part: HostPart;
  /** Why parts of the data could not be read. */
  codes: string[];
}

export async function readBySnmp(
  credential: Credential,
  address: string,
  context: SnmpContext,
): Promise<Attempt<SnmpReading>> {
  const usage = new SnmpUsage({ ...defaultLimits, ...context.limits }, () => performance.now());
  const deps: SessionDeps = { admit: context.admit, usage, signal: context.signal };
  let code = 'SNMP_SILENT';
  for (const account of accountsOf(credential)) {
    const target = { address, port: credential.port, account };
    const session = new SnmpSession(target, deps);
    try {
      const values = await session.get(Object.values(scalars));
      // A device answers every request, so what it leaves out completely is hidden from this account.
      if (values.size === 0) return { code: 'SNMP_NO_ACCESS' };
      return { value: await readAll(session, values, { ...context, target, deps }) };
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof SnmpFault)) throw error;
      // Some devices do not answer what they cannot decrypt.
      const cannotDecrypt = 'user' in account && account.user.privKey !== undefined && session.isEngineKnown;
      const silence = cannotDecrypt ? 'SNMP_WRONG_PRIVACY' : 'SNMP_SILENT';
      code = error.code === 'TIMEOUT' ? silence : error.code;
      // Only a key that is made in another way may still be right.
      if (code !== 'SNMP_WRONG_PRIVACY') break;
    } finally {
      session.close();
    }
  }
  return { code };
}

async function readAll(
  session: SnmpSession,
  values: ReadonlyMap<string, SnmpValue>,
  { target, deps, has, only }: Pick<SnmpContext, 'has' | 'only'> & { target: SnmpTarget; deps: SessionDeps },
): Promise<SnmpReading> {
  const reader = new TableReader(session);
  const scalar = (name: keyof typeof scalars) => values.get(scalars[name]);
  const fields: HostPart['fields'] = {};
  const groups: HostPart['groups'] = [];

  const ifTable = await reader.read('ifTable');
  const ifXTable = await reader.read('ifXTable');
  const ports = readPorts(ifTable ?? emptyTable, ifXTable);
  const ipAddr = await reader.read('ipAddr');
  const ipAddress = await reader.read('ipAddress');
  const addresses = readPortAddresses(ipAddr ?? emptyTable, ipAddress ?? emptyTable);
  const interfaces = readInterfaces(ports, addresses);
  if (ifTable && ipAddr && ipAddress && interfaces.length > 0) {
    fields.interfaces = interfaces;
    groups.push('interfaces');
  }

  const isForwarding = scalar('ipForwarding') === 1;
  const arp = isForwarding ? identifyingEntries(await readArpTable(reader), interfaces) : undefined;
  if (only === 'arp') {
    const nothing = { fields: {}, groups: [], source: 'snmp' as const, ownAddresses: [], identities: [] };
    return { part: { ...nothing, ...(arp ? { arp } : {}) }, codes: [...reader.codes] };
  }

  if (!has.has('routes')) {
    const found = await reader.readFirst('inetCidrRoutes', 'cidrRoutes', 'oldRoutes');
    if (found && found.table.size > 0) {
      fields.routes = routeReaders[found.name](found.table, ports);
      groups.push('routes');
    }
  }
  const bridgePorts = countOf(scalar('bridgePorts')) ?? 0;
  const layer2 = await readLayer2(
    reader,
    ports,
    {
      lldp: scalar('lldpChassis') !== undefined,
      cdp: scalar('cdpGlobalRun') !== undefined,
      bridge: bridgePorts > 0 || scalar('bridgeAddress') !== undefined,
    },
    (vlan, read) => withVlan(target, vlan, deps, reader, read),
  );
  if (layer2.learnedBy.length > 0) fields.neighbors = layer2.neighbors;

  const description = textOf(scalar('sysDescr'), 1024);
  const { product, serial, softwareVersion } = readProduct((await reader.read('entities')) ?? emptyTable);
  const { family, version = softwareVersion } = readFamily(description);
  fields.system = {
    ...(family === undefined ? {} : { family }),
    ...(version === undefined ? {} : { version }),
    ...(serial === undefined ? {} : { serial }),
  };
  const deviceTypes = readDeviceTypes({
    ...{ isForwarding, bridgePorts },
    services: countOf(scalar('sysServices')) ?? 0,
  });
  if (deviceTypes.length > 0) fields.deviceTypes = deviceTypes;
  const extraFields: KnownExtraFields = { ...definedMembers({ kernel: readKernel(description), product }) };
  groups.push('system');

  if (scalar('hrUptime') !== undefined) {
    const devices = await reader.read('hrDevices');
    const disks = await reader.read('hrDisks');
    const memory = countOf(scalar('hrMemorySize'));
    Object.assign(extraFields, readHardware(devices ?? emptyTable, disks ?? emptyTable, memory));
    const installed = has.has('packages') ? undefined : await reader.read('hrInstalled');
    if (installed && installed.size > 0) {
      fields.packages = readInstalled(installed);
      groups.push('packages');
    }
  }
  fields.extraFields = extraFields;
  if (!has.has('listening')) {
    const listening = await readListeningPorts(reader, session);
    if (listening) {
      fields.listening = listening;
      groups.push('listening');
    }
  }

  const engineId = scalar('engineId');
  const engine =
    engineId instanceof Uint8Array && engineId.length >= 5 && engineId.length <= 32
      ? Buffer.from(engineId).toString('hex')
      : undefined;
  if (engine !== undefined) fields.signatures = { engineId: engine };
  const name = textOf(scalar('sysName'));
  return {
    part: {
      fields,
      groups,
      source: 'snmp',
      learnedBy: layer2.learnedBy,
      ownAddresses: ownAddressesOf(interfaces),
      identities: [...(engine === undefined ? [] : [`engine:${engine}`]), ...macIdentities(interfaces)],
      ...(name === undefined ? {} : { hostname: name }),
      service: { name: 'snmp', port: target.port, proto: 'udp' },
      ...(arp ? { arp } : {}),
    },
    codes: [...reader.codes],
  };
}

async function readArpTable(reader: TableReader): Promise<LearnedMac[]> {
  const found = await reader.readFirst('ipNetToMedia', 'ipNetToPhysical');
  if (!found) return [];
  return found.name === 'ipNetToMedia' ? readArp(found.table, emptyTable) : readArp(emptyTable, found.table);
}

/** Reads in the view of one VLAN. */
async function withVlan<T>(
  target: SnmpTarget,
  vlan: number,
  deps: SessionDeps,
  reader: TableReader,
  read: (reader: TableReader) => Promise<T>,
): Promise<T> {
  const session = new SnmpSession({ ...target, ...accountForVlan(target.account, vlan) }, deps);
  try {
    return await read(reader.for(session));
  } finally {
    session.close();
  }
}

/** Undefined if the device does not tell. */
async function readListeningPorts(reader: TableReader, session: SnmpSession) {
  const tcp = await reader.readFirst('tcpListeners', 'tcpConnections');
  const udp = await reader.readFirst('udpEndpoints', 'udpListeners');
  if (!tcp || !udp || tcp.table.size + udp.table.size === 0) return undefined;
  const ports = openPorts({ ...noListeningTables, [tcp.name]: tcp.table, [udp.name]: udp.table });
  const names = new Map<number, string>();
  const processes = listeningProcesses(ports).slice(0, maxProcesses);
  for (let at = 0; at < processes.length; at += namesPerRequest) {
    const oids = processes.slice(at, at + namesPerRequest).map((id) => `${hrRunName}.${id}`);
    for (const [oid, value] of (await reader.attempt(() => session.get(oids))) ?? []) {
      const name = textOf(value);
      if (name !== undefined) names.set(Number(oid.split('.').at(-1)), name);
    }
  }
  return readListening(ports, (id) => names.get(id));
}
