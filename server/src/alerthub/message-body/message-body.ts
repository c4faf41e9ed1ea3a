// Body of a webhook message: decompressed, decoded, and read as data, all from the bytes as they were received.

import type { Reason } from '@yagura/core/alerthub/decision-log';
import { type BodyData, readBodyData } from '@yagura/core/alerthub/engine/data/body/body-data';
import { decodeText } from '../inbound-mail/charset.ts';
import { type HeaderParameters, parseHeaderParameters } from '../inbound-mail/header-parameters.ts';
import { decompress } from './decompress.ts';
import { readMultipart } from './multipart-data.ts';

const plain: HeaderParameters = { value: '', params: new Map() };

export class MessageBody {
  readonly contentType: string;
  private readonly bytes: Buffer;
  private readonly type: HeaderParameters;
  private readonly error: Reason | undefined;
  private readonly isCut: boolean;
  private decoded: string | undefined;

  /** `isCut` means that these are only the first bytes of the body. */
  constructor(raw: Buffer, headers: Record<string, string>, { isCut = false } = {}) {
    this.contentType = headers['content-type'] ?? '';
    this.type = this.contentType.includes(';') ? parseHeaderParameters(this.contentType) : plain;
    const encoding = headers['content-encoding'];
    const { bytes, error } = encoding ? decompress(raw, encoding, isCut) : { bytes: raw };
    this.bytes = bytes;
    this.error = error;
    this.isCut = isCut;
  }

  /** Decoded when it is first read: many messages are evaluated without, and a large text takes milliseconds. */
  get text(): string {
    this.decoded ??= decodeBody(this.bytes, this.type.params.get('charset') ?? '', this.isCut);
    return this.decoded;
  }

  /** The data of the body, or the reason why it has none. */
  readData(): BodyData {
    if (this.error) return { error: this.error };
    if (this.contentType.trimStart().toLowerCase().startsWith('multipart/'))
      return readMultipart(this.bytes, this.contentType);
    return readBodyData(this.text, this.contentType);
  }
}

/** Decodes a text in the announced charset, or by its byte order mark, or as UTF-8. */
function decodeBody(bytes: Buffer, charset: string, isCut: boolean): string {
  const marked = utf16Mark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes, { stream: isCut });
  if (charset === '' || /^utf-?8$/i.test(charset)) {
    // A cut may split a character, which then ends in a byte that is not ASCII.
    return isCut && (bytes.at(-1) ?? 0) >= 0x80
      ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
      : bytes.toString('utf8');
  }
  return decodeText(bytes, charset);
}

function utf16Mark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}
