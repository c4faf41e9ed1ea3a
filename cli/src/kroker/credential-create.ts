// `kroker credentials create`: encrypts here what is typed or read, so that nothing but the result is sent.
import { Problem } from '@yagura/core/http/problem';
import type { PublicKey } from '@yagura/core/kroker/public-key';
import type { CredentialSecret } from '@yagura/core/kroker/seal';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { placeOf } from '../resource/place.ts';
import { openSession } from '../signin/session.ts';
import { askHidden } from '../term/ask.ts';
import { readSource } from '../term/read-source.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';

export interface CredentialOptions {
  kroker?: string;
  displayName: string;
  remarks?: string;
  username?: string;
  keyFile?: string;
  passphraseFile?: string;
}

export async function createCredential(terminal: Terminal, options: CredentialOptions): Promise<void> {
  const { transport } = openSession(terminal);
  const meta = entryNamed('credential');
  const pathParams = await placeOf(meta, { ...options }, transport, terminal.signal);
  const krokerId = pathParams.krokerId!;
  const kroker = await entryClient(entryNamed('kroker'), transport).show(krokerId, {}, terminal.signal);
  if (!kroker.publicKey) throw new Problem('conflict', { title: terminal.t('cli.kroker.no-key') });
  const secret = await readSecret(terminal, options);
  const { sealCredential } = await import('@yagura/core/kroker/seal');
  const encryptedData = await sealCredential(secret, { krokerId, publicKey: kroker.publicKey as PublicKey });
  const { credentialType } = secret;
  const { displayName, remarks } = options;
  const body = { displayName, remarks, credentialType, encryptedData };
  const made = await entryClient(meta, transport).create(body, pathParams, { signal: terminal.signal });
  say(terminal, terminal.err.paint('success', terminal.t('cli.kroker.sealed', { name: displayName })));
  terminal.out.write(`${String(made.credentialId)}\n`);
}

/** The password comes from a hidden question or from stdin, a key from a file; never from the command line. */
async function readSecret(terminal: Terminal, options: CredentialOptions): Promise<CredentialSecret> {
  const { username = '', keyFile, passphraseFile } = options;
  const line = async (source: string, flag: string) =>
    (await readSource(source, terminal, flag)).replace(/\r?\n$/, '');
  if (keyFile) {
    const privateKey = await readSource(keyFile, terminal, '--key-file');
    const passphrase = passphraseFile ? await line(passphraseFile, '--passphrase-file') : '';
    return { credentialType: 'private-key', username, privateKey, passphrase };
  }
  const password = terminal.stdin.isTTY
    ? await askHidden(terminal, terminal.t('cli.kroker.ask-password'))
    : await line('-', 'stdin');
  if (password === '') throw new Usage('cli.usage.no-password');
  return { credentialType: 'password', username, password };
}
