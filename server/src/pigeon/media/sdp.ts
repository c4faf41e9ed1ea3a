// Session descriptions (RFC 8866), as far as audio needs them. Every description is hostile until proven otherwise.
import { translatable } from '../../common/translatable-text.ts';
import { MediaRefused } from './media-session.ts';

export const directions = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const;
export type Direction = (typeof directions)[number];

/** A line a=crypto (RFC 4568) whose suite and parameters we support. */
export interface CryptoAttribute {
  tag: number;
  /** Master key and salt. */
  key: Buffer;
}

export interface MediaDescription {
  kind: string;
  port: number;
  protocol: string;
  formats: string[];
  /** Of the media or, if it has none, of the session; null without one. */
  address: string | null;
  direction: Direction;
  /** Encoding of each payload type in lower case, for example "pcmu/8000". */
  encodings: Map<number, string>;
  cryptos: CryptoAttribute[];
  /** Port of the reports (RFC 3605), if it is not the next one. */
  reportPort: number | null;
}

const maxLength = 16_384;
const maxLines = 500;
const maxMedia = 8;
const maxFormats = 64;
const maxCryptos = 16;

export const cryptoSuite = 'AES_CM_128_HMAC_SHA1_80';

const encodingOf = new Map([
  [0, 'pcmu/8000'],
  [8, 'pcma/8000'],
]);

/** The media of a description. Throws MediaRefused that names the line. */
export function parseSdp(text: string): MediaDescription[] {
  if (text.length > maxLength) throw malformed(`longer than ${maxLength} characters`);
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > maxLines) throw malformed(`more than ${maxLines} lines`);
  const session: Pick<MediaDescription, 'address' | 'direction'> = { address: null, direction: 'sendrecv' };
  const media: MediaDescription[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const fail = () => malformed(`line ${index + 1} is not a valid "${line.slice(0, 2)}" line`);
    if (!/^[a-z]=/.test(line)) throw malformed(`line ${index + 1} has no type`);
    const value = line.slice(2);
    const current = media.at(-1);
    if (index === 0 && line !== 'v=0') throw malformed('the first line is not v=0');
    if (line[0] === 'm') {
      if (media.length === maxMedia) throw malformed(`more than ${maxMedia} media`);
      media.push({ ...session, ...parseMedia(value, fail) });
    } else if (line[0] === 'c') (current ?? session).address = parseConnection(value, fail);
    else if (line[0] === 'a') applyAttribute(value, current, session, fail);
  }
  if (!text.startsWith('v=0')) throw malformed('the first line is not v=0');
  return media;
}

/** A line a=crypto with our key. */
export function writeCrypto({ tag, key }: CryptoAttribute): string {
  return `a=crypto:${tag} ${cryptoSuite} inline:${key.toString('base64')}`;
}

function malformed(what: string): MediaRefused {
  return new MediaRefused('malformed', translatable('pigeon.detail.media.malformed', { what }));
}

function parseMedia(value: string, fail: () => Error): Omit<MediaDescription, 'address' | 'direction'> {
  const match = /^([a-z]+) (\d{1,5})(?:\/\d+)? ([A-Za-z0-9/]{1,40})((?: [!-~]{1,20})+)$/.exec(value);
  if (!match || Number(match[2]) > 65_535) throw fail();
  const formats = match[4]!.trim().split(' ');
  if (formats.length > maxFormats) throw fail();
  return {
    kind: match[1]!,
    port: Number(match[2]),
    protocol: match[3]!,
    formats,
    encodings: new Map(encodingOf),
    cryptos: [],
    reportPort: null,
  };
}

/** Null for an address that is not of the Internet. */
function parseConnection(value: string, fail: () => Error): string | null {
  const match = /^([A-Z0-9]{1,10}) ([A-Z0-9]{1,10}) ([!-~]{1,255})$/.exec(value.trimEnd());
  if (!match) throw fail();
  return match[1] === 'IN' ? match[3]! : null;
}

function applyAttribute(
  value: string,
  media: MediaDescription | undefined,
  session: Pick<MediaDescription, 'direction'>,
  fail: () => Error,
): void {
  const [name, ...rest] = value.split(':');
  const parameter = rest.join(':').trim();
  const direction = directions.find((one) => one === value.trimEnd());
  if (direction) (media ?? session).direction = direction;
  else if (media && name === 'rtpmap') {
    const match = /^(\d{1,3})\s+([!-~]{1,80})$/.exec(parameter);
    if (!match || Number(match[1]) > 127) throw fail();
    media.encodings.set(Number(match[1]), match[2]!.toLowerCase());
  } else if (media && name === 'rtcp') {
    const match = /^(\d{1,5})( [!-~]+)*$/.exec(parameter);
    if (!match || Number(match[1]) > 65_535) throw fail();
    media.reportPort = Number(match[1]);
  } else if (media && name === 'crypto' && media.cryptos.length < maxCryptos) {
    const crypto = parseCrypto(parameter);
    if (crypto) media.cryptos.push(crypto);
  }
}

/** Null for suites and parameters that we do not have; among several lines another one may do. */
function parseCrypto(parameter: string): CryptoAttribute | null {
  // Of the parameters only the lifetime may follow the key: packets with a key index look different.
  const match =
    /^(\d{1,9})\s+([A-Z0-9_]{1,60})\s+inline:([A-Za-z0-9+/]{40})(?:\|(?:2\^\d{1,2}|\d{1,15}))?(?:\s+WSH=\d{2,6})?$/.exec(
      parameter,
    );
  if (!match || match[2] !== cryptoSuite) return null;
  return { tag: Number(match[1]), key: Buffer.from(match[3]!, 'base64') };
}
