// Answer to the first message of the RDP client (RDCleanPath, DER). The gateway has already connected to the host and
// signed in, so the answer is always the same: TLS is agreed, and what follows is the stream of the host.

/** X.224 connection confirm with TLS chosen. */
const connectionConfirm = [3, 0, 0, 19, 14, 0xd0, 0, 0, 0x12, 0x34, 0, 2, 0, 8, 0, 1, 0, 0, 0];

/** The client reads the public key of a certificate, but uses it only to sign in, which the gateway does. */
const unusedCertificate =
  'MIIBbzCCARWgAwIBAgIUe3Lp7x5LaeTtCWnCa87yy4R6P9EwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBLTAgFw0yNjExMjMwNjA2MzlaGA8yMTI2' +
  'MTAzMDA2MDYzOVowDDEKMAgGA1UEAwwBLTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOJXxWS2kk8aauEqV12BSSojBpP/NP8ByklTzVt6NK3Y' +
  'APVnO0oqgwQVV5KgvMm+o6fM7qSnrFcaq02rwkIdQ6ujUzBRMB0GA1UdDgQWBBS7Z2mTXR75s5f0POg/GUNlZeIB9jAfBgNVHSMEGDAWgBS7Z2mT' +
  'XR75s5f0POg/GUNlZeIB9jAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIGYK8d/CWThpxO+7xzpp9qlVdcTXZgAYSXcwvSUkAL8A' +
  'AiEAqByTJrNZZjB90ActbXxfiSuQW4oKaktxkJF7CM7qAx4=';

const version = 3390;
const tags = { integer: 0x02, octets: 0x04, text: 0x0c, sequence: 0x30, context: 0xa0 } as const;

export function beginReply(): Uint8Array<ArrayBuffer> {
  const certificate = Uint8Array.from(atob(unusedCertificate), (character) => character.charCodeAt(0));
  return der(tags.sequence, [
    ...der(tags.context, der(tags.integer, [version >> 8, version & 255])),
    ...der(tags.context + 6, der(tags.octets, connectionConfirm)),
    ...der(tags.context + 7, der(tags.sequence, der(tags.octets, certificate))),
    ...der(tags.context + 9, der(tags.text, new TextEncoder().encode('desktop'))),
  ]);
}

function der(tag: number, content: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const { length } = content;
  const digits =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Uint8Array.from([tag, ...digits, ...Array.from(content)]);
}
