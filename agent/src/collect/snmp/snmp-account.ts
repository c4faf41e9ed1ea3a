// Translates credential files into accounts of `net-snmp`.
import type { authProtocols, privProtocols } from '@yagura/core/ksocket/credential-file';
import snmp, { type User } from 'net-snmp';
import type { Credential } from '../../settings/credential-files.ts';

export type SnmpAccount = { community: string } | { user: User };

const { AuthProtocols, PrivProtocols, SecurityLevel } = snmp;

const authOf: Record<(typeof authProtocols)[number], number> = {
  usmHMACMD5AuthProtocol: AuthProtocols.md5,
  usmHMACSHAAuthProtocol: AuthProtocols.sha,
  usmHMAC128SHA224AuthProtocol: AuthProtocols.sha224,
  usmHMAC192SHA256AuthProtocol: AuthProtocols.sha256,
  usmHMAC256SHA384AuthProtocol: AuthProtocols.sha384,
  usmHMAC384SHA512AuthProtocol: AuthProtocols.sha512,
};
/**
 * AES with 256 bits has no standard; devices make a long key of a short one in two ways (Blumenthal, Reeder), which
 * differ only if the hash of the authentication is shorter than the key.
 */
const privOf: Record<(typeof privProtocols)[number], readonly number[]> = {
  usmDESPrivProtocol: [PrivProtocols.des],
  usmAesCfb128Protocol: [PrivProtocols.aes],
  usmAesCfb256Protocol: [PrivProtocols.aes256b, PrivProtocols.aes256r],
};
const shortHashes: readonly number[] = [AuthProtocols.md5, AuthProtocols.sha, AuthProtocols.sha224];

/** The account of a file; several if its keys can be understood in several ways. */
export function accountsOf({ account }: Pick<Credential, 'account'>): SnmpAccount[] {
  if (account.version === 'v2c') return [{ community: account.community }];
  const name = account.username;
  if (account.authKey === '') return [{ user: { name, level: SecurityLevel.noAuthNoPriv } }];
  const authProtocol = authOf[account.authProtocol as keyof typeof authOf];
  const auth = { name, authProtocol, authKey: account.authKey };
  if (account.privKey === '') return [{ user: { ...auth, level: SecurityLevel.authNoPriv } }];
  const variants = privOf[account.privProtocol as keyof typeof privOf];
  return (shortHashes.includes(authProtocol) ? variants : variants.slice(0, 1)).map((privProtocol) => ({
    user: { ...auth, level: SecurityLevel.authPriv, privProtocol, privKey: account.privKey },
  }));
}

/** The account with which a switch shows one of its VLANs; `context` is that of SNMP v3. */
export function accountForVlan(
  account: SnmpAccount,
  vlan: number,
): { account: SnmpAccount; context: string } {
  return 'community' in account
    ? { account: { community: `${account.community}@${vlan}` }, context: '' }
    : { account, context: `vlan-${vlan}` };
}
