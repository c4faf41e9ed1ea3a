// What the gateway changes in the settings that a viewer's browser sends: display, keyboard and account.
import type { serverLayouts } from '@yagura/core/greac/session-parameters';
import { ByteReader, malformed } from './byte-reader.ts';
import { clientBlocks, encodeSendDataRequest, parseSendData } from './mcs.ts';
import type { NtlmAccount } from './ntlm.ts';

export type ServerLayout = (typeof serverLayouts)[number];

/** Input locales of Windows (MS-LCID). */
export const keyboardLayouts: Record<ServerLayout, number> = {
  'en-us-qwerty': 0x0409,
  'en-gb-qwerty': 0x0809,
  'de-ch-qwertz': 0x0807,
  'de-de-qwertz': 0x0407,
  'fr-be-azerty': 0x080c,
  'fr-fr-azerty': 0x040c,
  'fr-ch-qwertz': 0x100c,
  'hu-hu-qwertz': 0x040e,
  'it-it-qwerty': 0x0410,
  'ja-jp-qwerty': 0x0411,
  'pt-br-qwerty': 0x0416,
  'es-es-qwerty': 0x040a,
  'es-latam-qwerty': 0x080a,
  'sv-se-qwerty': 0x041d,
  'tr-tr-qwerty': 0x041f,
};

export interface DesktopSettings {
  layout: ServerLayout;
  /** Null for the size of the viewer's window. */
  width: number | null;
  height: number | null;
  /** What the host has chosen; the browser does not know. */
  securityProtocol: number;
}

/** Offsets in the core data block (MS-RDPBCGR 2.2.1.3.2). */
const core = {
  type: 0xc001,
  width: 8,
  height: 10,
  keyboardLayout: 16,
  keyboardType: 56,
  highColorDepth: 140,
  supportedColorDepths: 142,
  capabilities: 144,
  securityProtocol: 212,
  end: 216,
} as const;
const multitransport = 0xc00a;
/** 32, 24, 16 and 15 bits. */
const allDepths = 0x000f;
const want32Bits = 0x0002;
/** Error codes, 32 bits, status codes, asymmetric keys, connection type: the rest needs channels that are closed. */
const keptCapabilities = 0x002f;
const japaneseKeyboard = 7;
const minSize = 200;
const maxSize = 8192;

/** Changes a Connect-Initial in place, whose length stays. */
export function rewriteConnectInitial(frame: Buffer, settings: DesktopSettings): Buffer {
  const changed = Buffer.from(frame);
  const blocks = clientBlocks(changed);
  const block = blocks.get(core.type);
  if (!block || block.length < core.end) throw malformed('gcc.clientCore');
  const size = (wanted: number | null, at: number) =>
    Math.min(Math.max(wanted ?? block.readUInt16LE(at), minSize), maxSize);
  // An odd width is not allowed.
  block.writeUInt16LE(size(settings.width, core.width) & ~1, core.width);
  block.writeUInt16LE(size(settings.height, core.height), core.height);
  block.writeUInt32LE(keyboardLayouts[settings.layout], core.keyboardLayout);
  if (settings.layout === 'ja-jp-qwerty') {
    block.writeUInt32LE(japaneseKeyboard, core.keyboardType);
    block.writeUInt32LE(2, core.keyboardType + 4);
  }
  block.writeUInt16LE(24, core.highColorDepth);
  block.writeUInt16LE(allDepths, core.supportedColorDepths);
  const capabilities = (block.readUInt16LE(core.capabilities) & keptCapabilities) | want32Bits;
  block.writeUInt16LE(capabilities, core.capabilities);
  block.writeUInt32LE(settings.securityProtocol, core.securityProtocol);
  // No side connections over UDP.
  const transport = blocks.get(multitransport);
  if (transport && transport.length >= 8) transport.writeUInt32LE(0, 4);
  return changed;
}

const infoPacket = 0x0040;
const infoFlags = {
  autologon: 0x0008,
  unicode: 0x0010,
  compression: 0x0080,
  compressionTypes: 0x1e00,
} as const;
const infoHeader = 4 + 8 + 10;

/** Puts in the account of the destination. Without one, the host asks on its own screen. */
export function rewriteClientInfo(frame: Buffer, account: NtlmAccount | null): Buffer {
  const sent = parseSendData(frame);
  if (!sent) throw malformed('clientInfo');
  const reader = new ByteReader(sent.data);
  const header = Buffer.from(reader.take(infoHeader, 'clientInfo'));
  const lengths = [12, 14, 16, 18, 20].map((at) => header.readUInt16LE(at));
  const [domain, username, password, shell, folder] = lengths.map((length) =>
    Buffer.from(reader.take(length + 2, 'clientInfo.text')),
  ) as [Buffer, Buffer, Buffer, Buffer, Buffer];
  const rest = reader.take(reader.left, 'clientInfo.rest');
  if ((header.readUInt16LE() & infoPacket) === 0) throw malformed('clientInfo');
  let flags = header.readUInt32LE(8);
  if ((flags & infoFlags.unicode) === 0) throw malformed('clientInfo.flags');
  // Viewers that come later could not follow a compressed stream.
  flags &= ~(infoFlags.compression | infoFlags.compressionTypes | infoFlags.autologon);
  const texts = account
    ? [account.domain, account.username, account.password].map((text) => Buffer.from(`${text}\0`, 'utf16le'))
    : [domain, username, password];
  if (account) flags |= infoFlags.autologon;
  header.writeUInt32LE(flags >>> 0, 8);
  for (const [index, text] of [...texts, shell, folder].entries())
    header.writeUInt16LE(text.length - 2, 12 + index * 2);
  const data = Buffer.concat([header, ...texts, shell, folder, rest]);
  return encodeSendDataRequest({ ...sent, data });
}
