// Offer and answer (RFC 3264): what both parties have in common, and our descriptions.
import { isIP } from 'node:net';
import { translatable } from '../../common/translatable-text.ts';
import { type Codec, codecs } from './g711.ts';
import { MediaRefused, type MediaSecurity } from './media-session.ts';
import { packetMs } from './packet-scheduler.ts';
import { type CryptoAttribute, type Direction, type MediaDescription, parseSdp, writeCrypto } from './sdp.ts';

/** Our side of the session. */
export interface LocalMedia {
  address: string;
  port: number;
  /** IP version of our sockets. */
  family: 4 | 6;
  security: MediaSecurity;
  /** Our master key, with the tag of our own offer. */
  crypto: CryptoAttribute;
  sessionId: string;
}

/** What the last description of the other party says. */
export interface RemoteMedia {
  /** Null while the other party is on hold with the address 0.0.0.0. */
  address: string | null;
  port: number;
  reportPort: number;
  codec: Codec;
  /** Payload type under which the codec is sent. */
  payloadType: number;
  /** Codecs that may come, by payload type. */
  codecsByType: ReadonlyMap<number, Codec>;
  /** Payload type of telephone events to send; null when the other party takes none. */
  eventType: number | null;
  /** Payload types under which telephone events may come. */
  eventTypes: ReadonlySet<number>;
  direction: Direction;
  crypto: CryptoAttribute | null;
}

/** Payload type of the telephone events that we offer. */
const offeredEventType = 101;
export const offeredCryptoTag = 1;

const plainProtocols = ['RTP/AVP', 'RTP/AVPF'];
const secureProtocols = ['RTP/SAVP', 'RTP/SAVPF'];
const answerTo: Record<Direction, Direction> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};
/** A party with the address 0.0.0.0 takes nothing, whatever direction it names. */
const withoutReceiving: Record<Direction, Direction> = {
  sendrecv: 'sendonly',
  sendonly: 'sendonly',
  recvonly: 'inactive',
  inactive: 'inactive',
};

/** The audio of an answer to our offer. */
export function readAnswer(text: string, local: LocalMedia): RemoteMedia {
  const [audio] = parseSdp(text).filter(({ kind }) => kind === 'audio');
  if (!audio || audio.port === 0)
    throw new MediaRefused('noAudio', translatable('pigeon.detail.media.no-audio'));
  // The answer repeats the tag of the line that it takes.
  const cryptos = audio.cryptos.filter(({ tag }) => tag === offeredCryptoTag);
  return readAudio({ ...audio, cryptos }, local);
}

/** The audio of an offer, and our answer to it. */
export function answerOffer(
  text: string,
  local: LocalMedia,
): { remote: RemoteMedia; write(version: number): string } {
  const media = parseSdp(text);
  const audios = media.filter(({ kind, port }) => kind === 'audio' && port !== 0);
  if (audios.length === 0) throw new MediaRefused('noAudio', translatable('pigeon.detail.media.no-audio'));
  let refusal: unknown;
  for (const audio of audios) {
    try {
      const remote = readAudio(audio, local);
      return { remote, write: (version) => writeAnswer(media, audio, remote, local, version) };
    } catch (error) {
      refusal ??= error;
    }
  }
  throw refusal;
}

export function writeOffer(local: LocalMedia, version: number): string {
  const formats = [...codecs.map(({ payloadType }) => payloadType), offeredEventType];
  const protocol = local.security === 'required' ? 'RTP/SAVP' : 'RTP/AVP';
  return join([
    ...writeSession(local, version),
    `m=audio ${local.port} ${protocol} ${formats.join(' ')}`,
    ...codecs.map(({ name, payloadType }) => `a=rtpmap:${payloadType} ${name}/8000`),
    ...writeEventType(offeredEventType),
    `a=ptime:${packetMs}`,
    'a=sendrecv',
    ...(local.security === 'never' ? [] : [writeCrypto(local.crypto)]),
  ]);
}

function writeAnswer(
  media: readonly MediaDescription[],
  taken: MediaDescription,
  remote: RemoteMedia,
  local: LocalMedia,
  version: number,
): string {
  const formats = [remote.payloadType, ...(remote.eventType === null ? [] : [remote.eventType])];
  // Answer and offer have the same media in the same order; port 0 refuses one.
  const lines = media.flatMap((one) =>
    one !== taken
      ? [`m=${one.kind} 0 ${one.protocol} ${one.formats.join(' ')}`]
      : [
          `m=audio ${local.port} ${one.protocol} ${formats.join(' ')}`,
          `a=rtpmap:${remote.payloadType} ${remote.codec.name}/8000`,
          ...(remote.eventType === null ? [] : writeEventType(remote.eventType)),
          `a=ptime:${packetMs}`,
          `a=${answerTo[remote.address === null ? withoutReceiving[remote.direction] : remote.direction]}`,
          ...(remote.crypto ? [writeCrypto({ tag: remote.crypto.tag, key: local.crypto.key })] : []),
        ],
  );
  return join([...writeSession(local, version), ...lines]);
}

function readAudio(audio: MediaDescription, local: LocalMedia): RemoteMedia {
  const crypto = chooseCrypto(audio, local.security);
  const address = readAddress(audio.address, local);
  const types = audio.formats.filter((format) => /^\d{1,3}$/.test(format)).map(Number);
  const encoding = (type: number) => audio.encodings.get(type)?.replace(/\/1$/, '');
  const codecsByType = new Map(codecs.map((codec) => [codec.payloadType, codec]));
  let chosen: { codec: Codec; payloadType: number } | undefined;
  for (const payloadType of types) {
    const codec = codecs.find(({ name }) => encoding(payloadType) === `${name.toLowerCase()}/8000`);
    if (!codec) continue;
    codecsByType.set(payloadType, codec);
    chosen ??= { codec, payloadType };
  }
  if (!chosen) throw new MediaRefused('noCommonCodec', translatable('pigeon.detail.media.no-common-codec'));
  const eventType = types.find((type) => encoding(type) === 'telephone-event/8000') ?? null;
  return {
    address,
    port: audio.port,
    reportPort: audio.reportPort ?? audio.port + 1,
    ...chosen,
    codecsByType,
    eventType,
    eventTypes: new Set([offeredEventType, eventType].filter((type) => type !== null)),
    direction: audio.direction,
    crypto,
  };
}

function chooseCrypto(
  { protocol, cryptos }: MediaDescription,
  security: MediaSecurity,
): CryptoAttribute | null {
  const isSecure = secureProtocols.includes(protocol);
  if (!isSecure && !plainProtocols.includes(protocol))
    throw new MediaRefused('security', translatable('pigeon.detail.media.protocol', { protocol }));
  const crypto = security === 'never' ? undefined : cryptos[0];
  if (crypto) return crypto;
  if (isSecure)
    throw new MediaRefused(
      'security',
      security === 'never'
        ? translatable('pigeon.detail.media.encryption-off')
        : translatable('pigeon.detail.media.no-key'),
    );
  if (security === 'required')
    throw new MediaRefused('security', translatable('pigeon.detail.media.encryption-required'));
  return null;
}

/** Null for the address of a party on hold (RFC 2543). */
function readAddress(address: string | null, { family, address: own }: LocalMedia): string | null {
  if (address === '0.0.0.0' || address === '::') return null;
  const isUsable =
    address !== null &&
    isIP(address) === family &&
    !(family === 4 ? /^(22[4-9]|23\d|24\d|25[0-5]|0)\./ : /^ff/i).test(address) &&
    // Services of this machine must not get packets at the wish of another one.
    (!isLoopback(address) || isLoopback(own));
  if (!isUsable)
    throw new MediaRefused('noAddress', translatable('pigeon.detail.media.no-address', { family }));
  return normalized(address);
}

function isLoopback(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith('127.') : normalized(address) === '::1';
}

/** The form in which the system names the sources of packets. */
function normalized(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function writeSession(local: LocalMedia, version: number): string[] {
  const address = `IN IP${isIP(local.address) === 6 ? 6 : 4} ${local.address}`;
  return ['v=0', `o=- ${local.sessionId} ${version} ${address}`, 's=-', `c=${address}`, 't=0 0'];
}

function writeEventType(payloadType: number): string[] {
  return [`a=rtpmap:${payloadType} telephone-event/8000`, `a=fmtp:${payloadType} 0-15`];
}

function join(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}
