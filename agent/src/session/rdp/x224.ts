// The first messages of a connection (MS-RDPBCGR 2.2.1.1): both sides agree on how the connection is protected.
import { SessionError } from '../session-error.ts';
import { ByteReader, malformed } from './byte-reader.ts';

export const securityProtocols = { tls: 1, credssp: 2 } as const;

const negotiationRequest = 1;
const negotiationResponse = 2;
const negotiationFailure = 3;
const connectionRequest = 0xe0;
const connectionConfirm = 0xd0;

export function encodeConnectionRequest(protocols: number): Buffer {
  const bytes = Buffer.alloc(19);
  // TPKT, X.224 without references, and no routing token.
  bytes.set([3, 0, 0, 19, 14, connectionRequest]);
  bytes.set([negotiationRequest, 0, 8, 0], 11);
  bytes.writeUInt32LE(protocols, 15);
  return bytes;
}

/** The protocol that the host has chosen. */
export function parseConnectionConfirm(tpkt: Uint8Array, offered: number): number {
  const reader = new ByteReader(tpkt);
  reader.take(4, 'x224.tpkt');
  const length = reader.u8('x224.length');
  if (length !== reader.left) throw malformed('x224.length');
  if (reader.u8('x224.code') !== connectionConfirm) throw malformed('x224.code');
  reader.take(5, 'x224.references');
  // A host without the negotiation knows only its own encryption, which is not secure.
  if (reader.left === 0) throw new SessionError('PROTOCOL', { reason: 'NO_TLS' });
  const type = reader.u8('x224.type');
  reader.take(1, 'x224.flags');
  if (reader.u16le('x224.negotiation') !== 8) throw malformed('x224.negotiation');
  const value = reader.u32le('x224.negotiation');
  if (type === negotiationFailure) throw refusal(value);
  if (type !== negotiationResponse) throw malformed('x224.type');
  if ((value !== securityProtocols.tls && value !== securityProtocols.credssp) || (value & offered) === 0)
    throw new SessionError('PROTOCOL', { reason: 'NO_TLS' });
  return value;
}

const hybridRequired = 5;

function refusal(code: number): SessionError {
  // Without a credential, nobody can sign in before the desktop is shown.
  if (code === hybridRequired) return new SessionError('SIGN_IN_FAILED', { reason: 'NO_CREDENTIAL' });
  return new SessionError('PROTOCOL', { reason: `NEGOTIATION_${code}` });
}
