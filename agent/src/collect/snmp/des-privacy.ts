// DES for SNMP v3 (RFC 3414 section 8): OpenSSL 3 no longer has it, but triple DES with three equal keys is the same.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import snmp from 'net-snmp';

const blockLength = 8;
const cipherName = 'des-ede3-cbc';
/** Begins the salt: boots of our engine, which has no state. */
const ownBoots = Buffer.from('00000001', 'hex');

interface Engine {
  engineID: Buffer;
}
interface Algorithm {
  encryptPdu(
    pdu: Buffer,
    privacy: number,
    password: string,
    authentication: number,
    engine: Engine,
  ): { encryptedPdu: Buffer; msgPrivacyParameters: Buffer };
  decryptPdu(
    pdu: Buffer,
    privacy: number,
    salt: Buffer,
    password: string,
    authentication: number,
    engine: Engine,
  ): Buffer;
}

/** Replaces the implementation of the library, which fails. */
export function installDesPrivacy(): void {
  const { algorithms } = snmp.Encryption as unknown as { algorithms: Record<number, Algorithm> };
  Object.assign(algorithms[snmp.PrivProtocols.des]!, { encryptPdu, decryptPdu } satisfies Algorithm);
}

const encryptPdu: Algorithm['encryptPdu'] = (pdu, _privacy, password, authentication, engine) => {
  const salt = Buffer.concat([ownBoots, randomBytes(4)]);
  const cipher = createCipheriv(cipherName, ...keyAndVector(password, authentication, engine, salt));
  cipher.setAutoPadding(false);
  const padded = Buffer.concat([pdu, Buffer.alloc(-pdu.length & (blockLength - 1))]);
  return {
    encryptedPdu: Buffer.concat([cipher.update(padded), cipher.final()]),
    msgPrivacyParameters: salt,
  };
};

const decryptPdu: Algorithm['decryptPdu'] = (pdu, _privacy, salt, password, authentication, engine) => {
  const decipher = createDecipheriv(cipherName, ...keyAndVector(password, authentication, engine, salt));
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(pdu), decipher.final()]);
};

/** The first half of the localized key is the key of DES; the second half and the salt give the vector. */
function keyAndVector(
  password: string,
  authentication: number,
  { engineID }: Engine,
  salt: Buffer,
): [Buffer, Buffer] {
  const localized = snmp.Authentication.passwordToKey(authentication as never, password, engineID);
  const key = localized.subarray(0, blockLength);
  const vector = localized.subarray(blockLength, 2 * blockLength).map((octet, at) => octet ^ (salt[at] ?? 0));
  return [Buffer.concat([key, key, key]), Buffer.from(vector)];
}
