// Values of SIP headers: lists, addresses, URIs, parameters.
import { withoutBrackets } from '@yagura/core/validation/ip';
import { headersOf, type SipMessage } from './message.ts';

export interface SipUri {
  scheme: 'sip' | 'sips';
  user: string;
  host: string;
  port: number | undefined;
  params: Map<string, string>;
}

export interface NameAddress {
  uri: string;
  params: Map<string, string>;
}

export interface Via {
  transport: string;
  host: string;
  port: number | undefined;
  params: Map<string, string>;
}

/** Splits at a separator outside quotes and angle brackets. */
export function splitValue(value: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let bracketed = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '<') bracketed = true;
    else if (character === '>') bracketed = false;
    else if (character === separator && !bracketed) {
      parts.push(value.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(value.slice(start).trim());
  return parts.filter((part) => part !== '');
}

/** All values of a header that is a list, in order. */
export function listOf(message: SipMessage, name: string): string[] {
  return headersOf(message, name).flatMap((value) => splitValue(value, ','));
}

/** Whether a list of option tags or methods contains one. */
export function lists(message: SipMessage, name: string, item: string): boolean {
  return listOf(message, name).some((value) => value.toLowerCase() === item.toLowerCase());
}

/** Parameters after the first part; names in lower case, quotes removed. */
export function parseParams(parts: readonly string[]): Map<string, string> {
  const params = new Map<string, string>();
  for (const part of parts) {
    const at = part.indexOf('=');
    const name = (at === -1 ? part : part.slice(0, at)).trim().toLowerCase();
    const value = at === -1 ? '' : part.slice(at + 1).trim();
    if (name !== '' && !params.has(name)) params.set(name, unquote(value));
  }
  return params;
}

/** Without quotes and escapes. */
export function unquote(value: string): string {
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value;
  return value.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** An address of From, To, Contact, Route or Refer-To; undefined if malformed. */
export function parseNameAddress(value: string): NameAddress | undefined {
  const [first, ...rest] = splitValue(value, ';');
  if (first === undefined) return undefined;
  const open = afterDisplayName(first);
  if (open === -1) return /[\s"<>]/.test(first) ? undefined : { uri: first, params: parseParams(rest) };
  const close = first.indexOf('>', open);
  if (close === -1) return undefined;
  const uri = first.slice(open + 1, close).trim();
  return uri === '' || /\s/.test(uri) ? undefined : { uri, params: parseParams(rest) };
}

/** Position of the opening bracket after the display name, which may contain brackets in quotes; -1 if none. */
function afterDisplayName(value: string): number {
  if (!value.startsWith('"')) return value.indexOf('<');
  let at = 1;
  while (at < value.length && value[at] !== '"') at += value[at] === '\\' ? 2 : 1;
  return value.indexOf('<', at);
}

const hostPattern = /^(?:\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,255})$/;

/** A sip or sips URI; undefined if it is another or malformed. */
export function parseUri(uri: string): SipUri | undefined {
  const scheme = /^(sips?):/i.exec(uri);
  if (!scheme) return undefined;
  const rest = uri.slice(scheme[0].length).split('?', 1)[0]!;
  const at = rest.lastIndexOf('@');
  const user = at === -1 ? '' : rest.slice(0, at).split(':', 1)[0]!;
  const [hostPort, ...params] = rest.slice(at + 1).split(';');
  const host = parseHostPort(hostPort!);
  if (!host) return undefined;
  return {
    scheme: scheme[1]!.toLowerCase() as SipUri['scheme'],
    user: decodeUser(user),
    ...host,
    params: parseParams(params),
  };
}

/** Host without brackets, and port. */
export function parseHostPort(value: string): { host: string; port: number | undefined } | undefined {
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(value.trim());
  if (!parts || !hostPattern.test(parts[1]!)) return undefined;
  const port = parts[2] === undefined ? undefined : Number(parts[2]);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  return { host: withoutBrackets(parts[1]!), port };
}

function decodeUser(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}

export function parseVia(value: string): Via | undefined {
  const [first, ...params] = splitValue(value, ';');
  const parts = /^SIP\s*\/\s*2\.0\s*\/\s*(\w{1,10})\s+(\S+)$/i.exec(first ?? '');
  const host = parts && parseHostPort(parts[2]!);
  if (!parts || !host) return undefined;
  return { transport: parts[1]!.toUpperCase(), ...host, params: parseParams(params) };
}

/** An address as it is written in a URI: IPv6 in brackets. */
export const uriHost = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Tag of From or To; empty if there is none. */
export function tagOf(message: SipMessage, name: 'From' | 'To'): string {
  return parseNameAddress(headersOf(message, name)[0] ?? '')?.params.get('tag') ?? '';
}

/** A duration in seconds such as in Expires or Session-Expires; undefined if it is none. */
export function parseSeconds(value: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,10})/.exec(value ?? '');
  return digits ? Number(digits[1]) : undefined;
}

/** Characters of a number or user that can be called. */
const userPattern = /^[A-Za-z0-9+*#._-]{1,64}$/;

export const isCallable = (number: string): boolean => userPattern.test(number);

/** URI of a number at a domain. */
export function numberUri(number: string, domain: string): string {
  return `sip:${number.replaceAll('#', '%23')}@${uriHost(domain)}`;
}
