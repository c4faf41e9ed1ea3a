// Reads hardware of the BSDs and macOS.
import type { KnownExtraFields } from '@yagura/core/inventory/host-inventory';
import { parseDmi } from './hardware.ts';
import { cleanValue, definedMembers } from './text.ts';

export interface Hardware
  extends Pick<KnownExtraFields, 'bios' | 'motherboard' | 'product' | 'cpu' | 'memory' | 'storage'> {
  serial?: string | undefined;
  /** Identifies the machine. */
  uuid?: string | undefined;
}

/** The names in /sys/class/dmi/id of what FreeBSD's kenv and the BSDs' sysctl say. */
const dmiNames: Readonly<Record<string, string>> = {
  'smbios.system.maker': 'sys_vendor',
  'smbios.system.product': 'product_name',
  'smbios.system.version': 'product_version',
  'smbios.system.serial': 'product_serial',
  'smbios.planar.maker': 'board_vendor',
  'smbios.planar.product': 'board_name',
  'smbios.planar.version': 'board_version',
  'smbios.planar.serial': 'board_serial',
  'smbios.bios.vendor': 'bios_vendor',
  'smbios.bios.version': 'bios_version',
  'machdep.dmi.system-vendor': 'sys_vendor',
  'machdep.dmi.system-product': 'product_name',
  'machdep.dmi.system-version': 'product_version',
  'machdep.dmi.system-serial': 'product_serial',
  'machdep.dmi.board-vendor': 'board_vendor',
  'machdep.dmi.board-product': 'board_name',
  'machdep.dmi.board-version': 'board_version',
  'machdep.dmi.board-serial': 'board_serial',
  'machdep.dmi.bios-vendor': 'bios_vendor',
  'machdep.dmi.bios-version': 'bios_version',
  'hw.vendor': 'sys_vendor',
  'hw.product': 'product_name',
  'hw.version': 'product_version',
  'hw.serialno': 'product_serial',
};

/** `values` are those of sysctl, `kenv` its lines `name="value"`, `geom` the output of `geom disk list`. */
export function parseBsdHardware(
  values: ReadonlyMap<string, string>,
  kenv: string | undefined,
  geom: string | undefined,
): Hardware {
  const named = new Map(values);
  for (const line of (kenv ?? '').split('\n')) {
    const match = /^(smbios\.[\w.-]+)="(.*)"$/.exec(line.trim());
    if (match) named.set(match[1]!, match[2]!);
  }
  const dmi = [...named].flatMap(([name, value]) =>
    dmiNames[name] ? [`${dmiNames[name]}\t${value.replaceAll('\t', ' ')}`] : [],
  );
  const count = (...names: string[]) => firstPositive(names.map((name) => values.get(name)));
  const processors = count('hw.ncpuonline', 'hw.ncpu');
  const cores = count('kern.smp.cores');
  const model = cleanValue(values.get('machdep.cpu.brand_string') ?? values.get('hw.model'));
  const clock = count('hw.clockrate', 'hw.cpuspeed');
  const memory = count('hw.physmem64', 'hw.realmem', 'hw.physmem');
  return {
    ...parseDmi(dmi.join('\n')),
    cpu:
      processors === undefined
        ? undefined
        : {
            numberOfProcessors: processors,
            ...(cores ? { numberOfCores: cores } : {}),
            cpu0: definedMembers({ modelName: model, clockSpeed: clock }) ?? {},
          },
    memory: memory ? { totalSize: Math.round(memory / 1024) } : undefined,
    storage: parseGeom(geom) ?? countDisks(values.get('hw.disknames') ?? values.get('kern.disks')),
    uuid: values.get('kern.hostuuid') ?? values.get('hw.uuid') ?? values.get('machdep.dmi.system-uuid'),
  };
}

/** Output of ioreg and of system_profiler in its text form. */
export function parseMacHardware(
  values: ReadonlyMap<string, string>,
  ioreg: string | undefined,
  profiler: string | undefined,
  storage: string | undefined,
): Hardware {
  const property = (name: string) => cleanValue(new RegExp(`"${name}" = <?"([^"]*)"`).exec(ioreg ?? '')?.[1]);
  const field = (name: string) => cleanValue(new RegExp(`^ *${name}: (.*)$`, 'm').exec(profiler ?? '')?.[1]);
  const count = (name: string) => firstPositive([values.get(name)]);
  const serial = property('IOPlatformSerialNumber') ?? field('Serial Number \\(system\\)');
  const processors = count('hw.logicalcpu') ?? count('hw.ncpu');
  const cores = count('hw.physicalcpu');
  const sockets = count('hw.packages');
  const clock = count('hw.cpufrequency');
  const memory = count('hw.memsize');
  const sizes = [...(storage ?? '').matchAll(/^ *Capacity: .*\(([\d,. ']+) bytes\)$/gm)].flatMap(
    ([, digits]) => firstPositive([digits?.replace(/\D/g, '')]) ?? [],
  );
  return {
    bios: definedMembers({
      versionNumber: field('System Firmware Version') ?? field('Boot ROM Version'),
    }),
    product: definedMembers({
      vendorName: property('manufacturer') ?? 'Apple Inc.',
      modelName: field('Model Name'),
      modelNumber: property('model') ?? cleanValue(values.get('hw.model')),
      serialNumber: serial,
    }),
    cpu:
      processors === undefined
        ? undefined
        : {
            ...(sockets ? { numberOfSockets: sockets } : {}),
            ...(cores ? { numberOfCores: cores } : {}),
            numberOfProcessors: processors,
            cpu0:
              definedMembers({
                modelName: cleanValue(values.get('machdep.cpu.brand_string')) ?? field('Chip'),
                clockSpeed: clock && Math.round(clock / 1e6),
              }) ?? {},
          },
    memory: memory ? { totalSize: Math.round(memory / 1024) } : undefined,
    storage: totalStorage(sizes),
    serial,
    uuid: property('IOPlatformUUID') ?? field('Hardware UUID'),
  };
}

/** `sw_vers`: lines of name, colon and value. */
export function parseSwVers(text: string | undefined): { name?: string; version?: string } {
  const field = (name: string) => cleanValue(new RegExp(`^${name}:(.*)$`, 'm').exec(text ?? '')?.[1]);
  const name = field('ProductName');
  if (name === undefined) return {};
  const build = field('BuildVersion');
  const version = field('ProductVersion');
  return { name, ...(version ? { version: build ? `${version} (${build})` : version } : {}) };
}

/** Lines of a name, a tab and a value. */
export function parseSysctl(text: string | undefined): Map<string, string> {
  return new Map(
    (text ?? '').split('\n').flatMap((line): [string, string][] => {
      const [name, value] = line.split('\t');
      const cleaned = cleanValue(value);
      return name && cleaned ? [[name, cleaned]] : [];
    }),
  );
}

function parseGeom(text: string | undefined): KnownExtraFields['storage'] {
  return totalStorage(
    (text ?? '').split(/^Geom name: /m).flatMap((block) => {
      // Drives of optical media.
      if (block.startsWith('cd')) return [];
      return firstPositive([/^ *Mediasize: (\d+)/m.exec(block)?.[1]]) ?? [];
    }),
  );
}

/** Names such as `sd0:2f3c...,cd0:` (OpenBSD) or `wd0 sd0` (NetBSD); their sizes are not known. */
function countDisks(text: string | undefined): KnownExtraFields['storage'] {
  const names = (text ?? '')
    .split(/[\s,]+/)
    .filter((name) => /^(sd|wd|ld|dk|ada|da|nvd|nda|vtbd)\d+/.test(name));
  return names.length > 0 ? { numberOfDrives: names.length } : undefined;
}

/** Sizes in bytes. */
export function totalStorage(sizes: readonly number[]): KnownExtraFields['storage'] {
  if (sizes.length === 0) return undefined;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return { numberOfDrives: sizes.length, totalSize: Math.round(total / 1024) };
}

function firstPositive(texts: readonly (string | undefined)[]): number | undefined {
  return texts.map(Number).find((number) => Number.isSafeInteger(number) && number > 0);
}
