// Reads the folder of credential files: one account per TOML file, in the folder of its protocol.
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Translate } from '@yagura/core/i18n/translator';
import {
  type CredentialFile,
  type CredentialProtocol,
  credentialPorts,
  credentialProtocols,
  validateCredentialFile,
} from '@yagura/core/ksocket/credential-file';
import { z } from 'zod';
import { AgentError } from '../agent-error.ts';
import { type Ipv4Range, includesAddress, toRanges } from '../site/ipv4-ranges.ts';
import { readPrivateKey } from '../ssh/private-key.ts';
import { checkPrivateFolder, readPrivateFile } from './private-file.ts';
import { readTomlFile } from './read-toml.ts';

/** An account to sign in with. */
export interface Credential {
  protocol: CredentialProtocol;
  /** Path relative to the folder, such as `ssh/servers.toml`; the name in reports. */
  file: string;
  ranges: readonly Ipv4Range[];
  port: number;
  account: CredentialFile;
  /** Content of the key file. */
  privateKey?: string;
}

const text = () => z.string().min(1).max(10_000);
const authData = {
  ssh: z.strictObject({
    username: text(),
    password: text().optional(),
    keyFile: text().optional(),
    passphrase: text().optional(),
  }),
  snmp: z.strictObject({
    community: text().optional(),
    username: text().optional(),
    authProtocol: text().optional(),
    authKey: text().optional(),
    privProtocol: text().optional(),
    privKey: text().optional(),
  }),
  winrm: z.strictObject({ username: text(), password: text() }),
} as const;

const schemaOf = (protocol: CredentialProtocol) =>
  z.strictObject({
    includes: z.array(z.string()).max(1000),
    port: z.int().min(1).max(65_535).optional(),
    authData: authData[protocol] as z.ZodType<Partial<CredentialFile>>,
  });

/** All accounts, in the order in which they are tried: by file name. */
export async function readCredentials(folder: string, t: Translate): Promise<Credential[]> {
  await checkPrivateFolder(folder);
  const found: Credential[] = [];
  const present = new Set(await readdir(folder));
  for (const protocol of credentialProtocols) {
    if (!present.has(protocol)) continue;
    await checkPrivateFolder(join(folder, protocol));
    const names = (await readdir(join(folder, protocol))).filter((name) => name.endsWith('.toml')).sort();
    for (const name of names) found.push(await readCredential(folder, protocol, name, t));
  }
  return found;
}

/** Paths of files that look like credential files, but are not read where they are. */
export async function ignoredCredentials(folder: string): Promise<string[]> {
  const ignored: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) ignored.push(entry.name);
    else {
      const isRead = (credentialProtocols as readonly string[]).includes(entry.name);
      const names = await readdir(join(folder, entry.name)).catch(() => []);
      ignored.push(
        ...names.filter((name) => !(isRead && name.endsWith('.toml'))).map((name) => `${entry.name}/${name}`),
      );
    }
  }
  return ignored.filter((path) => /\.toml(\.[^/]*)?$/i.test(path)).sort();
}

/** The accounts that may be tried at an address. */
export function credentialsFor(
  credentials: readonly Credential[],
  protocol: CredentialProtocol,
  address: string,
): Credential[] {
  return credentials.filter((one) => one.protocol === protocol && includesAddress(one.ranges, address));
}

async function readCredential(
  folder: string,
  protocol: CredentialProtocol,
  name: string,
  t: Translate,
): Promise<Credential> {
  const path = join(folder, protocol, name);
  const { includes, port, authData: auth } = await readTomlFile(path, schemaOf(protocol), t);
  const account = toAccount(protocol, name, includes, auth);
  const faults = Object.entries(validateCredentialFile(account));
  if (protocol === 'ssh' && auth.password !== undefined && auth.keyFile !== undefined)
    faults.push(['keyFile', 'rule.empty']);
  if (faults.length > 0) {
    const lines = faults.map(([field, key]) => `  ${field}: ${t(key)}`);
    throw new AgentError('agent.file.invalid', { file: path }, { lines });
  }
  const keyFile =
    account.keyFile === '' || isAbsolute(account.keyFile)
      ? account.keyFile
      : resolve(folder, account.keyFile);
  const privateKey = keyFile === '' ? undefined : await readPrivateFile(keyFile);
  if (privateKey !== undefined && typeof readPrivateKey(privateKey, account.passphrase) === 'string')
    throw new AgentError('agent.file.key', { file: path, path: keyFile });
  return {
    protocol,
    file: `${protocol}/${name}`,
    ranges: toRanges(includes),
    port: port ?? credentialPorts[protocol],
    account,
    ...(privateKey === undefined ? {} : { privateKey }),
  };
}

function toAccount(
  protocol: CredentialProtocol,
  fileName: string,
  includes: readonly string[],
  auth: Partial<CredentialFile>,
): CredentialFile {
  return {
    protocol,
    name: fileName.replace(/\.toml$/, ''),
    includes,
    port: '',
    method: auth.keyFile === undefined ? 'password' : 'keyFile',
    version: auth.community === undefined ? 'v3' : 'v2c',
    username: '',
    password: '',
    keyFile: '',
    passphrase: '',
    community: '',
    authProtocol: '',
    authKey: '',
    privProtocol: '',
    privKey: '',
    ...auth,
  };
}
