// Values of SNMP variables and the forms that they have in the MIBs.
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { cleanValue } from '../text.ts';

/** Octets, a number, or the text of an object identifier or IPv4 address. */
export type SnmpValue = number | string | Uint8Array;
export type SnmpRow = Readonly<Record<number, SnmpValue | undefined>>;
/** Rows by the arcs of their index, such as `1.4.10.0.0.1`. */
export type SnmpTable = ReadonlyMap<string, SnmpRow>;

export const emptyTable: SnmpTable = new Map();

/** Printable text; devices that do not send UTF-8 send Latin-1. */
export function textOf(value: SnmpValue | undefined, max = 255): string | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  const text = new TextDecoder().decode(value);
  return cleanValue(text.includes('\ufffd') ? Buffer.from(value).toString('latin1') : text, max);
}

/** A whole number from 0. */
export function countOf(value: SnmpValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A hardware address of one device: neither empty nor of a group. */
export function macOf(value: SnmpValue | readonly number[] | undefined): string | undefined {
  if (typeof value !== 'object' || value.length !== 6) return undefined;
  const octets = [...value];
  if (octets.some((octet) => octet > 255) || octets.every((octet) => octet === 0) || octets[0]! & 1)
    return undefined;
  return octets.map((octet) => octet.toString(16).padStart(2, '0')).join(':');
}

/** An IPv4 address, as its own type or as four octets. */
export function ipv4Of(value: SnmpValue | readonly number[] | undefined): string | undefined {
  const text = typeof value === 'object' ? [...value].join('.') : value;
  return typeof text === 'string' && isIpv4(text) ? text : undefined;
}

/** The address of an InetAddressType and its octets (RFC 4001); zone indexes are left out. */
export function inetAddressOf(type: number, octets: ArrayLike<number>): string | undefined {
  const bytes = Array.from(octets);
  if (type === 1 || type === 3) return ipv4Of(bytes.slice(0, 4));
  if (type !== 2 && type !== 4) return undefined;
  return bytes.length >= 16 ? ipv6Of(bytes.slice(0, 16)) : undefined;
}

function ipv6Of(bytes: readonly number[]): string | undefined {
  if (bytes.some((octet) => !(octet >= 0 && octet <= 255))) return undefined;
  const groups = Array.from({ length: 8 }, (_, at) =>
    (bytes[at * 2]! * 256 + bytes[at * 2 + 1]!).toString(16),
  );
  // The URL parser writes the shortest form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Reads the arcs of an index one after the other. */
export class IndexReader {
  private readonly arcs: readonly number[];
  private at = 0;

  constructor(index: string) {
    this.arcs = index.split('.').map(Number);
  }

  /** The next arc; NaN after the last. */
  next(): number {
    return this.arcs[this.at++] ?? Number.NaN;
  }

  /** The next arcs, which stay the next. */
  peek(count: number): number[] {
    return this.arcs.slice(this.at, this.at + count);
  }

  take(count: number): number[] {
    const found = this.arcs.slice(this.at, this.at + count);
    this.at += count;
    return found;
  }

  /** Arcs that are preceded by their number. */
  takeCounted(): number[] {
    return this.take(this.next());
  }

  /** An InetAddressType, the length of the address, and its octets. */
  takeInetAddress(): string | undefined {
    const type = this.next();
    return inetAddressOf(type, this.takeCounted());
  }
}
