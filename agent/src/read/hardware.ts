// Reads hardware from the tables of the firmware, /proc and /sys.
import type { KnownExtraFields } from '@yagura/core/inventory/host-inventory';
import { cleanValue, definedMembers } from './text.ts';

/** Texts that vendors leave in place of a value. */
const placeholder =
  /^(not specified|to be filled by o\.?e\.?m\.?|default string|none|unknown|n\/?a|0+|\.+)$/i;

/** Lines of a file name of /sys/class/dmi/id, a tab and its content. */
export function parseDmi(
  text: string | undefined,
): Pick<KnownExtraFields, 'bios' | 'motherboard' | 'product'> & { serial?: string } {
  const values = new Map(
    (text ?? '').split('\n').flatMap((line): [string, string][] => {
      const [name, value] = line.split('\t');
      const cleaned = cleanValue(value);
      return name && cleaned && !placeholder.test(cleaned) ? [[name, cleaned]] : [];
    }),
  );
  const serial = values.get('product_serial');
  return {
    bios: definedMembers({
      vendorName: values.get('bios_vendor'),
      versionNumber: values.get('bios_version'),
    }),
    motherboard: definedMembers({
      vendorName: values.get('board_vendor'),
      modelNumber: values.get('board_name'),
      versionNumber: values.get('board_version'),
      serialNumber: values.get('board_serial'),
    }),
    product: definedMembers({
      vendorName: values.get('sys_vendor'),
      modelName: values.get('product_name'),
      versionNumber: values.get('product_version'),
      serialNumber: serial,
    }),
    ...(serial === undefined ? {} : { serial }),
  };
}

/** Lines of /proc/cpuinfo; a virtual machine may not tell sockets and cores. */
export function parseCpuinfo(text: string | undefined): KnownExtraFields['cpu'] {
  const sockets = new Map<string, { modelName?: string; clockSpeed?: number; cores: number }>();
  let processors = 0;
  for (const block of (text ?? '').split(/^(?=processor\s*:)/m)) {
    const field = (name: string) => cleanValue(new RegExp(`^${name}\\s*:(.*)$`, 'm').exec(block)?.[1]);
    if (field('processor') === undefined) continue;
    processors++;
    const id = field('physical id') ?? '0';
    if (sockets.has(id)) continue;
    const clock = Number(field('cpu MHz'));
    sockets.set(id, {
      modelName: field('model name'),
      clockSpeed: clock > 0 ? Math.round(clock) : undefined,
      cores: Number(field('cpu cores') ?? 0),
    });
  }
  if (processors === 0) return undefined;
  const cores = [...sockets.values()].reduce((sum, socket) => sum + socket.cores, 0);
  return {
    numberOfSockets: sockets.size,
    ...(cores > 0 ? { numberOfCores: cores } : {}),
    numberOfProcessors: processors,
    ...Object.fromEntries(
      [...sockets.values()].map(({ cores: _, ...socket }, index) => [
        `cpu${index}`,
        definedMembers(socket) ?? {},
      ]),
    ),
  };
}

export function parseMeminfo(text: string | undefined): KnownExtraFields['memory'] {
  const totalSize = Number(/^MemTotal:\s*(\d+) kB/m.exec(text ?? '')?.[1]);
  return totalSize > 0 ? { totalSize } : undefined;
}

/** Lines of a drive's name, size in sectors of 512 bytes, and whether its medium is removable. */
export function parseStorage(text: string | undefined): KnownExtraFields['storage'] {
  const sizes = (text ?? '').split('\n').flatMap((line) => {
    const [name, sectors, removable] = line.trim().split('\t');
    return name && Number(sectors) > 0 && removable === '0' ? [Number(sectors) / 2] : [];
  });
  if (sizes.length === 0) return undefined;
  return { numberOfDrives: sizes.length, totalSize: Math.round(sizes.reduce((sum, size) => sum + size, 0)) };
}
