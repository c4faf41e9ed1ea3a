// Reads the fields of a multipart form as data; files are described, not included.
import type { BodyData } from '@yagura/core/alerthub/engine/data/body/body-data';
import { FormFields } from '@yagura/core/alerthub/engine/data/body/form-fields';
import { reason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { decodeText } from '../inbound-mail/charset.ts';
import { type MimePart, parseMimeParts } from '../inbound-mail/mime-parts.ts';

/** The parts of a form have the syntax of a mail, so the reader of mails splits them. */
export function readMultipart(bytes: Buffer, contentType: string): BodyData {
  const head = Buffer.from(`content-type: ${contentType}\r\n\r\n`, 'latin1');
  const { parts, cut } = parseMimeParts(Buffer.concat([head, bytes]));
  if (cut.length > 0) return { error: reason('why.data.multipartLarge') };
  const fields = new FormFields();
  for (const part of parts) {
    const name = part.disposition.params.get('name');
    if (name === undefined) return { error: reason('why.data.multipart') };
    fields.add(name, fieldValueOf(part));
  }
  return { data: fields.toObject() };
}

function fieldValueOf({ type, disposition, body }: MimePart): unknown {
  const filename = disposition.params.get('filename');
  if (filename === undefined) return decodeText(body, type.params.get('charset') ?? 'utf-8');
  return { filename, contentType: type.value, size: body.length };
}
