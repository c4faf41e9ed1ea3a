// A device that answers SNMP v2c on a loopback address, from variables or as badly as the test wants.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Octets, a text, an integer; other types are named. */
export type DeviceValue =
  | string
  | number
  | Uint8Array
  | { oid: string }
  | { ip: string }
  | { gauge: number }
  | { raw: Uint8Array };
export type Variables = Readonly<Record<string, DeviceValue>>;

export interface SnmpRequest {
  community: string;
  kind: 'get' | 'next' | 'bulk';
  oids: string[];
  repetitions: number;
}
export type Binding = [oid: string, value: DeviceValue | undefined];

export interface SnmpDevice {
  address: string;
  port: number;
  requests: SnmpRequest[];
  close(): Promise<void>;
}

export interface DeviceOptions {
  /** By community; a community without variables is not answered. */
  views: Readonly<Record<string, Variables>>;
  address?: string;
  port?: number;
  /** Replaces the answer to a request: other bindings, octets as they are, or nothing. */
  answer?: (request: SnmpRequest, usual: Binding[]) => Binding[] | Buffer | 'nothing';
  /** Milliseconds before each answer. */
  delayMs?: number;
  /** The port from which answers are sent, if it is another one. */
  answerFrom?: 'another port';
}

const maxAnswer = 1400;

export async function startSnmpDevice(options: DeviceOptions): Promise<SnmpDevice> {
  const { views, address = '127.0.0.1', port = 0, answer = (_, usual) => usual } = options;
  const sorted = new Map(
    Object.entries(views).map(([name, view]) => [name, Object.keys(view).sort(compareOids)]),
  );
  const socket = createSocket('udp4');
  const other = createSocket('udp4');
  const requests: SnmpRequest[] = [];
  const timers = new Set<NodeJS.Timeout>();
  socket.on('message', (message, from) => {
    const { request, id } = readRequest(message);
    requests.push(request);
    const view = views[request.community];
    if (!view) return;
    const usual = bindingsFor(request, view, sorted.get(request.community)!);
    const given = answer(request, usual);
    if (given === 'nothing') return;
    const bytes = Buffer.isBuffer(given) ? given : writeResponse(request.community, id, given);
    const sender = options.answerFrom ? other : socket;
    const send = () => sender.send(bytes, from.port, from.address);
    if (options.delayMs === undefined) send();
    else timers.add(setTimeout(send, options.delayMs));
  });
  socket.bind(port, address);
  await once(socket, 'listening');
  return {
    address,
    port: socket.address().port,
    requests,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      other.unref();
      await Promise.all(
        [socket, other].map((one) => new Promise<void>((resolve) => one.close(() => resolve()))),
      );
    },
  };
}

function bindingsFor(request: SnmpRequest, view: Variables, oids: readonly string[]): Binding[] {
  if (request.kind === 'get') return request.oids.map((oid): Binding => [oid, view[oid]]);
  const found: Binding[] = [];
  let last = request.oids;
  let size = 0;
  for (let turn = 0; turn < (request.kind === 'next' ? 1 : request.repetitions); turn++) {
    const row = last.map((oid): Binding => {
      const next = oids.find((one) => compareOids(one, oid) > 0);
      return next === undefined ? [oid, undefined] : [next, view[next]];
    });
    for (const binding of row) {
      size += writeBinding(binding).length;
      if (size > maxAnswer && found.length > 0) return found;
      found.push(binding);
    }
    last = row.map(([oid]) => oid);
  }
  return found;
}

export function compareOids(left: string, right: string): number {
  const [a, b] = [left.split('.').map(Number), right.split('.').map(Number)];
  for (let at = 0; at < Math.min(a.length, b.length); at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}

// The part of BER that SNMP uses (X.690), independent of the library that is tested.

function field(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function integer(value: number, tag = 0x02): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  let from = 0;
  // A leading octet may go if the next one has the same sign.
  while (from < 7 && bytes[from] === ((bytes[from + 1]! & 0x80) === 0 ? 0 : 255)) from++;
  return field(tag, bytes.subarray(from));
}

function oidField(oid: string): Buffer {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number);
  const octets = rest.flatMap((arc) => {
    const digits = [arc & 127];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left & 127) | 128);
    return digits;
  });
  return field(0x06, Buffer.from([first * 40 + second, ...octets]));
}

function valueField(value: DeviceValue | undefined): Buffer {
  if (value === undefined) return field(0x82);
  if (typeof value === 'number') return integer(value);
  if (typeof value === 'string') return field(0x04, Buffer.from(value));
  if (value instanceof Uint8Array) return field(0x04, value);
  if ('oid' in value) return oidField(value.oid);
  if ('ip' in value) return field(0x40, Buffer.from(value.ip.split('.').map(Number)));
  if ('gauge' in value) return integer(value.gauge, 0x42);
  return Buffer.from(value.raw);
}

function writeBinding([oid, value]: Binding): Buffer {
  return field(0x30, oidField(oid), valueField(value));
}

function writeResponse(community: string, id: number, bindings: readonly Binding[]): Buffer {
  const list = field(0x30, ...bindings.map(writeBinding));
  const pdu = field(0xa2, integer(id), integer(0), integer(0), list);
  return field(0x30, integer(1), field(0x04, Buffer.from(community)), pdu);
}

function readFields(bytes: Buffer): { tag: number; content: Buffer }[] {
  const found: { tag: number; content: Buffer }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]!;
    const long = bytes[at + 1]! > 127 ? bytes[at + 1]! - 128 : 0;
    const length = long ? bytes.readUIntBE(at + 2, long) : bytes[at + 1]!;
    const start = at + 2 + long;
    found.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}

function readOid(bytes: Buffer): string {
  const arcs = [Math.min(2, Math.floor(bytes[0]! / 40))];
  arcs.push(bytes[0]! - arcs[0]! * 40);
  let arc = 0;
  for (const octet of bytes.subarray(1)) {
    arc = arc * 128 + (octet & 127);
    if (octet < 128) {
      arcs.push(arc);
      arc = 0;
    }
  }
  return arcs.join('.');
}

function readRequest(message: Buffer): { request: SnmpRequest; id: number } {
  const [, community, pdu] = readFields(readFields(message)[0]!.content);
  const [id, , repetitions, list] = readFields(pdu!.content);
  const number = (bytes: Buffer) => (bytes.length === 0 ? 0 : bytes.readIntBE(0, bytes.length));
  const kinds: Record<number, SnmpRequest['kind']> = { 160: 'get', 161: 'next', 165: 'bulk' };
  return {
    id: number(id!.content),
    request: {
      community: community!.content.toString(),
      kind: kinds[pdu!.tag]!,
      oids: readFields(list!.content).map(({ content }) => readOid(readFields(content)[0]!.content)),
      repetitions: number(repetitions!.content),
    },
  };
}
