// Reads what a device is: system group, ENTITY-MIB and HOST-RESOURCES-MIB.
import type { KnownExtraFields } from '@yagura/core/inventory/host-inventory';
import { agentLimits } from '@yagura/core/ksocket/agent-protocol';
import type { Package } from '../packages.ts';
import { definedMembers } from '../text.ts';
import { countOf, type SnmpRow, type SnmpTable, textOf } from './values.ts';

/** Descriptions of common systems: name and version. */
const systems: readonly (readonly [pattern: RegExp, family: string])[] = [
  [/^Linux \S+ (\S+)/, 'Linux'],
  [/^(?:Free|Open|Net)BSD \S+ (\S+)/, ''],
  [/\bCisco IOS\b.*?IOS[ -]?XE\b.*?\bVersion ([^\s,]+)/s, 'Cisco IOS XE'],
  [/\bCisco IOS\b.*?\bVersion ([^\s,]+)/s, 'Cisco IOS'],
  [/\bCisco NX-OS\b.*?\bVersion ([^\s,]+)/s, 'Cisco NX-OS'],
  [/\bCisco Adaptive Security Appliance Version (\S+)/, 'Cisco ASA'],
  [/\bJUNOS ([^\s,]+)/, 'Junos'],
  [/\bArista Networks EOS version (\S+)/, 'Arista EOS'],
  [/^RouterOS\b\s*(\S*)/, 'RouterOS'],
  [/\bSoftware: Windows Version (\S+(?: \(Build \d+[^)]*\))?)/, 'Windows'],
];

/** Name and version of the system; a description in another form is kept as it is. */
export function readFamily(description: string | undefined): { family?: string; version?: string } {
  if (description === undefined) return {};
  for (const [pattern, family] of systems) {
    const match = pattern.exec(description);
    if (match)
      return { family: family || description.split(' ')[0]!, ...(match[1] ? { version: match[1] } : {}) };
  }
  return { family: description.slice(0, 255) };
}

/** `Linux NAME RELEASE VERSION... MACHINE`, as uname(1) writes it. */
export function readKernel(description: string | undefined): KnownExtraFields['kernel'] {
  const match = /^(Linux) \S+ (\S+) (.*) \S+$/.exec(description ?? '');
  return match ? { name: match[1]!, release: match[2]!, version: match[3]! } : undefined;
}

/** Value of `entPhysicalClass`. */
const chassisClass = 3;
/** Texts that stand for no serial number. */
const noSerial = /^(0+|n\/?a|none|unknown|not specified|\(unknown\))$/i;

/**
 * Columns of `entPhysicalTable`: 5 class, 8 to 10 revisions of hardware, firmware and software, 11 serial number,
 * 12 vendor, 13 model. In a stack, the first chassis counts.
 */
export function readProduct(entities: SnmpTable): {
  product?: KnownExtraFields['product'];
  serial?: string;
  softwareVersion?: string;
} {
  const chassis = [...entities]
    .sort(([a], [b]) => Number(a) - Number(b))
    .find(([, row]) => row[5] === chassisClass)?.[1];
  if (!chassis) return {};
  const serial = textOf(chassis[11]);
  const known = serial !== undefined && !noSerial.test(serial) ? serial : undefined;
  const softwareVersion = textOf(chassis[10]);
  const product = definedMembers({
    vendorName: textOf(chassis[12]),
    modelName: textOf(chassis[13]),
    versionNumber: textOf(chassis[8]),
    serialNumber: known,
    firmwareVersionNumber: textOf(chassis[9]),
  });
  return {
    ...(product ? { product } : {}),
    ...(known === undefined ? {} : { serial: known }),
    ...(softwareVersion === undefined ? {} : { softwareVersion }),
  };
}

const processorType = '1.3.6.1.2.1.25.3.1.3';
/** Value of `hrDiskStorageRemoveble`. */
const fixedDisk = 2;

/**
 * Columns: `hrDeviceTable` 2 type, 3 description; `hrDiskStorageTable` 3 removable, 4 capacity in kilobytes. A description
 * that all processors share is their model.
 */
export function readHardware(
  devices: SnmpTable,
  disks: SnmpTable,
  memoryKilobytes: number | undefined,
): Pick<KnownExtraFields, 'cpu' | 'memory' | 'storage'> {
  const processors = [...devices.values()].filter((row) => row[2] === processorType);
  const models = new Set(processors.map((row) => textOf(row[3])));
  const [model] = models;
  const capacities = [...disks.values()].flatMap((row) => {
    const capacity = countOf(row[4]);
    return row[3] === fixedDisk && capacity ? [capacity] : [];
  });
  return {
    ...(processors.length > 0
      ? {
          cpu: {
            numberOfProcessors: processors.length,
            ...(models.size === 1 && model !== undefined ? { cpu0: { modelName: model } } : {}),
          },
        }
      : {}),
    ...(memoryKilobytes ? { memory: { totalSize: memoryKilobytes } } : {}),
    ...(capacities.length > 0
      ? {
          storage: {
            numberOfDrives: capacities.length,
            totalSize: capacities.reduce((sum, capacity) => sum + capacity, 0),
          },
        }
      : {}),
  };
}

/** Column 2 of `hrSWInstalledTable`; Net-SNMP joins the name, version and architecture of dpkg and rpm. */
export function readInstalled(table: SnmpTable): Package[] {
  return [...table.values()].slice(0, agentLimits.packagesPerHost).flatMap((row: SnmpRow): Package[] => {
    const text = textOf(row[2]);
    if (text === undefined) return [];
    const dpkg = /^([a-z\d][a-z\d+.-]+)_(\d\S*)_([a-z\d-]+)$/.exec(text);
    if (dpkg) return [{ name: dpkg[1]!, version: dpkg[2]!, arch: dpkg[3]! }];
    const rpm = /^(\S+)-(\d[^\s-]*-[^\s-]+?)(?:\.(noarch|x86_64|aarch64|i[3-6]86|ppc64le|s390x))?$/.exec(
      text,
    );
    if (rpm) return [{ name: rpm[1]!, version: rpm[2]!, arch: rpm[3] ?? '' }];
    return [{ name: text, version: '', arch: '' }];
  });
}

/** Bit of `sysServices` for a device that routes (RFC 1213). */
const internetService = 4;

/** What a device does, as far as it tells; a computer that forwards packets for its containers is no router. */
export function readDeviceTypes(device: {
  isForwarding: boolean;
  services: number;
  bridgePorts: number;
}): { type: string }[] {
  if (device.bridgePorts > 1) return [{ type: 'switch' }];
  return device.isForwarding && (device.services & internetService) !== 0 ? [{ type: 'router' }] : [];
}
