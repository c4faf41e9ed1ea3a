// Writes credential files of an on-site agent: one account per TOML file, in the folder of its protocol.
import type { MessageKey } from '../i18n/message-key.ts';
import { isIpv4OrCidr } from '../validation/ipv4.ts';

export const credentialProtocols = ['ssh', 'snmp', 'winrm'] as const;
export type CredentialProtocol = (typeof credentialProtocols)[number];

/** Authentication methods by protocol; SNMP v3 names are those of its MIBs (RFC 3414, RFC 3826, RFC 7860). */
export const sshMethods = ['password', 'keyFile'] as const;
export const snmpVersions = ['v2c', 'v3'] as const;
export const authProtocols = [
  'usmHMACMD5AuthProtocol',
  'usmHMACSHAAuthProtocol',
  'usmHMAC128SHA224AuthProtocol',
  'usmHMAC192SHA256AuthProtocol',
  'usmHMAC256SHA384AuthProtocol',
  'usmHMAC384SHA512AuthProtocol',
] as const;
export const privProtocols = ['usmDESPrivProtocol', 'usmAesCfb128Protocol', 'usmAesCfb256Protocol'] as const;

/** Default ports of the protocols. */
export const credentialPorts: Record<CredentialProtocol, number> = { ssh: 22, snmp: 161, winrm: 5985 };

export interface CredentialFile {
  protocol: CredentialProtocol;
  /** Prefix of the file name; the agent tries files in order of their names. */
  name: string;
  /** IPv4 addresses and networks on which the account may be tried. */
  includes: readonly string[];
  /** Empty for the protocol's default port. */
  port: string;
  method: (typeof sshMethods)[number];
  version: (typeof snmpVersions)[number];
  username: string;
  password: string;
  /** Path of the key file on the agent's machine. */
  keyFile: string;
  passphrase: string;
  community: string;
  authProtocol: string;
  authKey: string;
  privProtocol: string;
  privKey: string;
}

/** Keys of `[authData]` in such a file, and which of them may be empty. */
export function authFields({
  protocol,
  method,
  version,
}: Pick<CredentialFile, 'protocol' | 'method' | 'version'>): {
  name: keyof CredentialFile;
  optional: boolean;
}[] {
  const wanted = (...names: (keyof CredentialFile)[]) => names.map((name) => ({ name, optional: false }));
  if (protocol === 'winrm') return wanted('username', 'password');
  if (protocol === 'ssh')
    return method === 'password'
      ? wanted('username', 'password')
      : [...wanted('username', 'keyFile'), { name: 'passphrase', optional: true }];
  if (version === 'v2c') return wanted('community');
  return [
    ...wanted('username'),
    { name: 'authProtocol', optional: true },
    { name: 'authKey', optional: true },
    { name: 'privProtocol', optional: true },
    { name: 'privKey', optional: true },
  ];
}

/** Message keys of the errors by field; empty if the file is valid. */
export function validateCredentialFile(file: CredentialFile): Record<string, MessageKey> {
  const faults: Record<string, MessageKey> = {};
  if (!/^[A-Za-z0-9][\w-]{0,62}$/.test(file.name)) faults.name = 'credential.name-rule';
  if (file.includes.length === 0) faults.includes = 'rule.required';
  else if (!file.includes.every(isIpv4OrCidr)) faults.includes = 'rule.ipv4OrCidr';
  const port = Number(file.port);
  if (file.port !== '' && !(Number.isInteger(port) && port >= 1 && port <= 65_535))
    faults.port = 'credential.port-rule';
  for (const { name, optional } of authFields(file))
    if (!optional && file[name] === '') faults[name] = 'rule.required';
  if (isSnmpV3(file)) Object.assign(faults, snmpV3Faults(file));
  return faults;
}

/** A user has no keys, one for authentication, or that and one for privacy; each has a protocol. */
function snmpV3Faults(file: CredentialFile): Record<string, MessageKey> {
  const faults: Record<string, MessageKey> = {};
  const known = { authProtocol: authProtocols, privProtocol: privProtocols } as const;
  for (const [protocol, key] of [
    ['authProtocol', 'authKey'],
    ['privProtocol', 'privKey'],
  ] as const) {
    // RFC 3414: the password of a key has at least eight characters.
    if (file[key] !== '' && file[key].length < 8) faults[key] = 'credential.key-rule';
    if ((file[key] === '') !== (file[protocol] === ''))
      faults[file[key] === '' ? key : protocol] ??= 'rule.required';
    if (file[protocol] !== '' && !(known[protocol] as readonly string[]).includes(file[protocol]))
      faults[protocol] = 'rule.select';
  }
  if (file.privKey !== '' && file.authKey === '') faults.authKey ??= 'rule.required';
  return faults;
}

/** Path of the file relative to the agent's credential folder, and its content. */
export function writeCredentialFile(file: CredentialFile): { path: string; text: string } {
  const auth = authFields(file).filter(({ name }) => file[name] !== '');
  const lines = [
    `includes = [${file.includes.map(tomlString).join(', ')}]`,
    ...(file.port === '' ? [] : [`port = ${Number(file.port)}`]),
    '',
    '[authData]',
    ...auth.map(({ name }) => `${name} = ${tomlString(String(file[name]))}`),
  ];
  return { path: `${file.protocol}/${file.name}.toml`, text: `${lines.join('\n')}\n` };
}

function isSnmpV3({ protocol, version }: CredentialFile): boolean {
  return protocol === 'snmp' && version === 'v3';
}

/** A TOML basic string: like JSON, but TOML requires one more control character to be escaped. */
function tomlString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007F');
}
