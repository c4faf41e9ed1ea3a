// Reads what the PowerShell script says about a Windows host: a JSON array of objects for each section.
import { inventoryLimits, type KnownExtraFields } from '@yagura/core/inventory/host-inventory';
import { agentLimits, type ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import { ipv4Network } from '@yagura/core/sonar/ipv4-network';
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { parseDmi } from './hardware.ts';
import { type Interface, macOf, prefixOf } from './interfaces.ts';
import { distinct, type ListeningPort } from './listening.ts';
import { type Hardware, totalStorage } from './other-hardware.ts';
import { type Package, packagesOf } from './packages.ts';
import type { Route } from './routes.ts';
import { cleanValue, definedMembers, readJsonRows } from './text.ts';

export type WindowsUpdate = NonNullable<ScannedHostInput['windowsUpdates']>[number];
type Row = Record<string, unknown>;

/** Values of NetConnectionStatus. */
const linkStates: Readonly<Record<number, string>> = { 0: 'down', 2: 'up', 7: 'down' };
/** Values of Protocol in Win32_IP4RouteTable. */
const routeProtocols: Readonly<Record<number, string>> = {
  2: 'local',
  3: 'static',
  4: 'icmp',
  8: 'rip',
  13: 'ospf',
  14: 'bgp',
};

const textAt = (row: Row | undefined, name: string, max = 255) => {
  const value = row?.[name];
  return typeof value === 'string' ? cleanValue(value, max) : undefined;
};
const numberAt = (row: Row | undefined, name: string) => {
  const value = row?.[name];
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};
const listAt = (row: Row, name: string): unknown[] => (Array.isArray(row[name]) ? row[name] : []);

/** PowerShell writes some arrays as an object with their number of elements. */
function readRows(text: string | undefined): Row[] {
  const [, wrapped] = /^\s*\{"value":(\[.*\]),"Count":\d+\}\s*$/s.exec(text ?? '') ?? [];
  return readJsonRows(wrapped ?? text);
}

/** Adapters without an address have one row, the others one for each address. */
export function parseWindowsInterfaces(
  adapters: string | undefined,
  addresses: string | undefined,
): Interface[] {
  const rows: Interface[] = [];
  const addressRows = readRows(addresses);
  const byIndex = new Map(addressRows.map((row) => [numberAt(row, 'InterfaceIndex'), row]));
  const named = readRows(adapters);
  const listed = new Set(named.map((row) => numberAt(row, 'InterfaceIndex')));
  const others = addressRows.filter((row) => !listed.has(numberAt(row, 'InterfaceIndex')));
  for (const row of [...named, ...others]) {
    const ifname = textAt(row, 'NetConnectionID') ?? textAt(row, 'Name') ?? textAt(row, 'Description');
    if (ifname === undefined) continue;
    const state = linkStates[numberAt(row, 'NetConnectionStatus') ?? -1];
    const base = { ifname, ...macOf(row.MACAddress), ...(state ? { linkState: state } : {}) };
    const configured = byIndex.get(numberAt(row, 'InterfaceIndex')) ?? {};
    const masks = listAt(configured, 'IPSubnet');
    const found = listAt(configured, 'IPAddress').flatMap((addr, index): Interface[] => {
      if (typeof addr !== 'string' || !/^[\da-f.:]{2,45}$/i.test(addr)) return [];
      const mask = masks[index];
      return [{ ...base, addr, ...(typeof mask === 'string' ? { netmask: mask.slice(0, 64) } : {}) }];
    });
    rows.push(...(found.length > 0 ? found : [base]));
  }
  return rows.slice(0, inventoryLimits.interfaces);
}

/** `interfaceNames` are those of the adapters by their index. */
export function parseWindowsRoutes(
  text: string | undefined,
  interfaceNames: ReadonlyMap<number, string>,
): Route[] {
  return readRows(text)
    .flatMap((row): Route[] => {
      const to = textAt(row, 'Destination');
      const bits = prefixOf(textAt(row, 'Mask'));
      const destination =
        to && isIpv4(to) && bits !== undefined ? ipv4Network(`${to}/${bits}`)?.text : undefined;
      if (destination === undefined) return [];
      const gateway = textAt(row, 'NextHop');
      const metric = numberAt(row, 'Metric1');
      const ifname = interfaceNames.get(numberAt(row, 'InterfaceIndex') ?? -1);
      const protocol = routeProtocols[numberAt(row, 'Protocol') ?? -1];
      return [
        {
          destination,
          ...(gateway && isIpv4(gateway) && gateway !== '0.0.0.0' ? { gateway } : {}),
          ...(ifname ? { ifname } : {}),
          ...(metric !== undefined && metric < 2 ** 32 ? { metric } : {}),
          ...(protocol ? { protocol } : {}),
        },
      ];
    })
    .slice(0, inventoryLimits.routes);
}

/** Names of the adapters, as routes refer to them by number. */
export function windowsInterfaceNames(...texts: (string | undefined)[]): Map<number, string> {
  const names = new Map<number, string>();
  for (const row of texts.flatMap(readRows)) {
    const index = numberAt(row, 'InterfaceIndex');
    const name = textAt(row, 'NetConnectionID') ?? textAt(row, 'Name') ?? textAt(row, 'Description');
    if (index !== undefined && name !== undefined && !names.has(index)) names.set(index, name);
  }
  return names;
}

export function parseWindowsListening(
  tcp: string | undefined,
  udp: string | undefined,
  processes: string | undefined,
): ListeningPort[] {
  const names = new Map(readRows(processes).map((row) => [numberAt(row, 'Id'), textAt(row, 'ProcessName')]));
  const portsOf = (protocol: ListeningPort['protocol'], text: string | undefined) =>
    readRows(text).flatMap((row): ListeningPort[] => {
      const address = textAt(row, 'LocalAddress', 64)?.replace(/%.*$/, '');
      const port = numberAt(row, 'LocalPort');
      if (!address || port === undefined || port > 65_535) return [];
      const process = names.get(numberAt(row, 'OwningProcess'));
      return [{ protocol, address, port, ...(process ? { process } : {}) }];
    });
  return distinct([...portsOf('tcp', tcp), ...portsOf('udp', udp)]);
}

export function parseWindowsPackages(text: string | undefined): Package[] {
  return packagesOf(
    readRows(text).flatMap((row) => {
      const name = textAt(row, 'DisplayName');
      return name
        ? [{ name, version: textAt(row, 'DisplayVersion'), arch: textAt(row, 'Architecture', 64) }]
        : [];
    }),
  );
}

export function parseWindowsUpdates(text: string | undefined): WindowsUpdate[] {
  return readRows(text)
    .slice(0, agentLimits.windowsUpdatesPerHost)
    .flatMap((row) => {
      const hotfixId = textAt(row, 'HotFixID', 64);
      if (!hotfixId) return [];
      const installedAt = dateOf(textAt(row, 'InstalledOn'));
      const description = textAt(row, 'Description', 1024);
      return [{ hotfixId, ...(description ? { description } : {}), ...(installedAt ? { installedAt } : {}) }];
    });
}

/** The name is that of the system without its vendor's trademark signs. */
export function parseWindowsSystem(text: string | undefined): {
  family?: string;
  version?: string;
  kernel?: KnownExtraFields['kernel'];
} {
  const [row] = readRows(text);
  const family = textAt(row, 'Caption')?.replace(/[®™]/g, '');
  const version = textAt(row, 'Version');
  if (!family) return {};
  return {
    family,
    ...(version ? { version } : {}),
    kernel: definedMembers({ name: 'Windows NT', release: version }),
  };
}

export function parseWindowsHardware(text: (name: string) => string | undefined): Hardware {
  const first = (name: string): Row | undefined => readRows(text(name))[0];
  const [bios, board, product, computer] = [
    first('windows-bios'),
    first('windows-board'),
    first('windows-product'),
    first('windows-computer'),
  ];
  const dmi: readonly (readonly [string, string | undefined])[] = [
    ['bios_vendor', textAt(bios, 'Manufacturer')],
    ['bios_version', textAt(bios, 'SMBIOSBIOSVersion')],
    ['board_vendor', textAt(board, 'Manufacturer')],
    ['board_name', textAt(board, 'Product')],
    ['board_version', textAt(board, 'Version')],
    ['board_serial', textAt(board, 'SerialNumber')],
    ['sys_vendor', textAt(product, 'Vendor') ?? textAt(computer, 'Manufacturer')],
    ['product_name', textAt(product, 'Name') ?? textAt(computer, 'Model')],
    ['product_version', textAt(product, 'Version')],
    ['product_serial', textAt(product, 'IdentifyingNumber') ?? textAt(bios, 'SerialNumber')],
  ];
  const memory = numberAt(computer, 'TotalPhysicalMemory');
  const drives = readRows(text('windows-disks')).flatMap((row) => {
    const size = numberAt(row, 'Size');
    return size && !/removable/i.test(textAt(row, 'MediaType') ?? '') ? [size] : [];
  });
  return {
    ...parseDmi(dmi.flatMap(([name, value]) => (value ? [`${name}\t${value}`] : [])).join('\n')),
    cpu: cpuOf(readRows(text('windows-cpu'))),
    memory: memory ? { totalSize: Math.round(memory / 1024) } : undefined,
    storage: totalStorage(drives),
    uuid: textAt(first('windows-machine-guid'), 'MachineGuid'),
  };
}

/** One row per socket. */
function cpuOf(rows: readonly Row[]): KnownExtraFields['cpu'] {
  if (rows.length === 0) return undefined;
  const sum = (name: string) => rows.reduce((total, row) => total + (numberAt(row, name) ?? 0), 0);
  const cores = sum('NumberOfCores');
  const processors = sum('NumberOfLogicalProcessors');
  return {
    numberOfSockets: rows.length,
    ...(cores > 0 ? { numberOfCores: cores } : {}),
    ...(processors > 0 ? { numberOfProcessors: processors } : {}),
    ...Object.fromEntries(
      rows.map((row, index) => [
        `cpu${index}`,
        definedMembers({ modelName: textAt(row, 'Name'), clockSpeed: numberAt(row, 'MaxClockSpeed') }) ?? {},
      ]),
    ),
  };
}

/** `2024-01-31`, or a FILETIME of 16 hexadecimal digits, which some updates have. */
function dateOf(text: string | undefined): string | undefined {
  if (text && /^\d{4}-\d{2}-\d{2}$/.test(text)) return validDate(Date.parse(`${text}T00:00:00Z`));
  if (!text || !/^[\da-f]{16}$/i.test(text)) return undefined;
  // Counted in 100 ns from 1601.
  return validDate(Number(BigInt(`0x${text}`) / 10_000n) - 11_644_473_600_000);
}

function validDate(time: number): string | undefined {
  return time > 0 && time < 253_402_300_800_000 ? new Date(time).toISOString() : undefined;
}
