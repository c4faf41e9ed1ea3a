// SIP messages (RFC 3261, section 7): parsed from and printed to bytes, with limits.

export interface Header {
  /** Full name; compact forms are expanded. */
  name: string;
  value: string;
}

export interface SipRequest {
  method: string;
  uri: string;
  headers: Header[];
  body: Buffer;
}

export interface SipResponse {
  status: number;
  reason: string;
  headers: Header[];
  body: Buffer;
}

export type SipMessage = SipRequest | SipResponse;

export const maxMessageBytes = 65_536;
export const maxHeaders = 200;

/** A message that cannot be used; `request` is what a 400 can still be sent for. */
export class MalformedMessage extends Error {
  readonly request: SipRequest | undefined;

  constructor(message: string, request?: SipRequest) {
    super(message);
    this.name = 'MalformedMessage';
    this.request = request;
  }
}

export const isRequest = (message: SipMessage): message is SipRequest => 'method' in message;

/** Full names of the headers that are compared or have a compact form, by their names in lower case. */
const fullNames = new Map(
  [
    'Accept',
    'Allow',
    'Authorization',
    'CSeq',
    'Call-ID',
    'Contact',
    'Content-Encoding',
    'Content-Length',
    'Content-Type',
    'Event',
    'Expires',
    'From',
    'Max-Forwards',
    'Min-Expires',
    'Min-SE',
    'Proxy-Authenticate',
    'Proxy-Authorization',
    'RAck',
    'RSeq',
    'Reason',
    'Record-Route',
    'Refer-To',
    'Referred-By',
    'Require',
    'Retry-After',
    'Route',
    'Session-Expires',
    'Subject',
    'Subscription-State',
    'Supported',
    'To',
    'Unsupported',
    'User-Agent',
    'Via',
    'WWW-Authenticate',
  ].map((name) => [name.toLowerCase(), name]),
);
for (const [compact, name] of Object.entries({
  b: 'Referred-By',
  c: 'Content-Type',
  e: 'Content-Encoding',
  f: 'From',
  i: 'Call-ID',
  k: 'Supported',
  l: 'Content-Length',
  m: 'Contact',
  o: 'Event',
  r: 'Refer-To',
  s: 'Subject',
  t: 'To',
  u: 'Allow-Events',
  v: 'Via',
  x: 'Session-Expires',
})) {
  fullNames.set(compact, name);
}

const token = /^[\w.!%*+`'~-]+$/;
const requestLine = /^([\w.!%*+`'~-]+) (\S+) SIP\/2\.0$/i;
const statusLine = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i;

/** Reads the only message of a datagram. Throws MalformedMessage. */
export function parseMessage(bytes: Buffer): SipMessage {
  if (bytes.length > maxMessageBytes) throw new MalformedMessage('message too large');
  const end = endOfHeaders(bytes, 0);
  if (!end) throw new MalformedMessage('no end of the headers');
  const message = parseHead(bytes.toString('latin1', 0, end.head));
  const rest = bytes.subarray(end.body);
  const length = contentLength(message);
  if (length === undefined) return checked(message, rest);
  if (length > rest.length)
    throw new MalformedMessage('body shorter than Content-Length', asRequest(message));
  return checked(message, rest.subarray(0, length));
}

/** Where the headers end and the body starts, from an offset; undefined if the end has not arrived. */
export function endOfHeaders(bytes: Buffer, from: number): { head: number; body: number } | undefined {
  for (let at = bytes.indexOf(10, from); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return { head: at, body: at + 2 };
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return { head: at, body: at + 3 };
  }
  return undefined;
}

/** Content-Length, if there is one. Throws MalformedMessage if it is no number. */
export function contentLength(message: SipMessage): number | undefined {
  const value = headerOf(message, 'Content-Length');
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new MalformedMessage('invalid Content-Length', asRequest(message));
  return Number(value);
}

/** Reads the start line and the headers. */
export function parseHead(text: string): SipMessage {
  const lines = unfold(text);
  const start = lines.shift() ?? '';
  const request = requestLine.exec(start);
  const response = request ? null : statusLine.exec(start);
  if (!request && !response) throw new MalformedMessage('invalid start line');
  const headers: Header[] = [];
  const message: SipMessage = request
    ? { method: request[1]!, uri: request[2]!, headers, body: Buffer.alloc(0) }
    : { status: Number(response![1]), reason: response![2] ?? '', headers, body: Buffer.alloc(0) };
  if (lines.length > maxHeaders) throw new MalformedMessage('too many headers');
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd();
    if (!token.test(name)) throw new MalformedMessage('invalid header', asRequest(message));
    headers.push({ name: fullNames.get(name.toLowerCase()) ?? name, value: line.slice(colon + 1).trim() });
  }
  return message;
}

/** Lines without their ends; continued lines are joined. Throws if a line has control characters. */
function unfold(text: string): string[] {
  const lines: string[][] = [];
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (/[\0\r]/.test(line)) throw new MalformedMessage('control character in a header');
    if (/^[ \t]/.test(line) && lines.length > 1) lines.at(-1)!.push(line.trim());
    else if (line !== '' || lines.length === 0) lines.push([line]);
  }
  return lines.map((parts) => parts.join(' '));
}

/** The message with its body, if it has every header that each message needs. */
export function checked(message: SipMessage, body: Buffer): SipMessage {
  message.body = Buffer.from(body);
  for (const name of ['Via', 'From', 'To', 'Call-ID', 'CSeq']) {
    if (!headerOf(message, name)) throw new MalformedMessage(`no ${name}`, asRequest(message));
  }
  const sequence = /^(\d{1,10})\s+(\S+)$/.exec(headerOf(message, 'CSeq')!);
  if (!sequence || Number(sequence[1]) >= 2 ** 31) {
    throw new MalformedMessage('invalid CSeq', asRequest(message));
  }
  if (isRequest(message) && sequence[2] !== message.method) {
    throw new MalformedMessage('CSeq of another method', message);
  }
  return message;
}

const asRequest = (message: SipMessage) => (isRequest(message) ? message : undefined);

/** The first header of that name. */
export function headerOf(message: { headers: readonly Header[] }, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return message.headers.find((header) => header.name.toLowerCase() === wanted)?.value;
}

/** The values of all headers of that name, not split at commas. */
export function headersOf(message: { headers: readonly Header[] }, name: string): string[] {
  const wanted = name.toLowerCase();
  return message.headers
    .filter((header) => header.name.toLowerCase() === wanted)
    .map((header) => header.value);
}

/** Number and method of CSeq of a message that was checked. */
export function sequenceOf(message: SipMessage): { number: number; method: string } {
  const [number, method] = (headerOf(message, 'CSeq') ?? '').split(/\s+/);
  return { number: Number(number), method: method ?? '' };
}

/** The bytes of a message; Content-Length is set here. Throws if a value would break the lines. */
export function printMessage(message: SipMessage): Buffer {
  const start = isRequest(message)
    ? `${message.method} ${message.uri} SIP/2.0`
    : `SIP/2.0 ${message.status} ${message.reason}`;
  const lines = [
    start,
    ...message.headers
      .filter((header) => header.name !== 'Content-Length')
      .map((header) => `${header.name}: ${header.value}`),
    `Content-Length: ${message.body.length}`,
  ];
  if (lines.some((line) => /[\0\r\n]/.test(line))) throw new Error('line break in a SIP header');
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), message.body]);
}
