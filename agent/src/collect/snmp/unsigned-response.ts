// Finds answers without signature to requests that are signed; `net-snmp` itself would take them.

const sequence = 0x30;
const reportPdu = 0xa8;
const authFlag = 1;

/** Whether an SNMP v3 message is neither signed nor a report, which devices send before keys are known. */
export function isUnsignedResponse(message: Buffer): boolean {
  const [whole] = readFields(message);
  const [, header, , data] = whole?.tag === sequence ? readFields(whole.content) : [];
  const flags = header ? readFields(header.content)[2]?.content[0] : undefined;
  if (flags === undefined || !data) return true;
  if ((flags & authFlag) !== 0) return false;
  const pdu = data.tag === sequence ? readFields(data.content)[2] : undefined;
  return pdu?.tag !== reportPdu;
}

/** The fields of a constructed value (BER), up to one that is not complete. */
function readFields(bytes: Buffer): { tag: number; content: Buffer }[] {
  const fields: { tag: number; content: Buffer }[] = [];
  for (let at = 0; at + 2 <= bytes.length && fields.length < 8; ) {
    const tag = bytes[at]!;
    let length = bytes[at + 1]!;
    at += 2;
    if (length >= 0x80) {
      const octets = length - 0x80;
      if (octets < 1 || octets > 4 || at + octets > bytes.length) break;
      length = bytes.readUIntBE(at, octets);
      at += octets;
    }
    if (at + length > bytes.length) break;
    fields.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return fields;
}
