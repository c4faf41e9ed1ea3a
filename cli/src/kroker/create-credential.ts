// `kroker credentials create`: encrypts a credential locally and sends only the ciphertext.
import { Problem } from '@yagura/core/http/problem';
import type { CredentialSecret } from '@yagura/core/kroker/open-credential';
import { privateKeyFault, privateKeyFaultTexts } from '@yagura/core/kroker/private-key-fault';
import type { PublicKey } from '@yagura/core/kroker/public-key';
import { promptHidden } from '../command-line/prompt.ts';
import { readFileOrStdin } from '../command-line/read-file-or-stdin.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readPathParams } from '../resource/meta/path-params.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { openSession } from '../signin/session.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

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
  const meta = resourceNamed('credential');
  const pathParams = await readPathParams(meta, { ...options }, transport, terminal.signal);
  const krokerId = pathParams.krokerId!;
  const kroker = await resourceClient(resourceNamed('kroker'), transport).show(krokerId, {}, terminal.signal);
  if (!kroker.publicKey) throw new Problem('conflict', { title: terminal.t('cli.kroker.no-key') });
  const secret = await readSecret(terminal, options);
  const { encryptCredential } = await import('@yagura/core/kroker/encrypt-credential');
  const encryptedData = await encryptCredential(secret, {
    krokerId,
    publicKey: kroker.publicKey as PublicKey,
  });
  const { credentialType } = secret;
  const { displayName, remarks } = options;
  const body = { displayName, remarks, credentialType, encryptedData };
  const made = await resourceClient(meta, transport).create(body, pathParams, { signal: terminal.signal });
  printMessage(
    terminal,
    terminal.err.paint('success', terminal.t('cli.kroker.sealed', { name: displayName })),
  );
  terminal.out.write(`${String(made.credentialId)}\n`);
}

/** The password comes from a hidden prompt or from stdin, a key from a file; never from the command line. */
async function readSecret(terminal: Terminal, options: CredentialOptions): Promise<CredentialSecret> {
  const { username = '', keyFile, passphraseFile } = options;
  const line = async (source: string, flag: string) =>
    (await readFileOrStdin(source, terminal, flag)).replace(/\r?\n$/, '');
  if (keyFile) {
    const privateKey = await readFileOrStdin(keyFile, terminal, '--key-file');
    const fault = privateKeyFault(privateKey);
    if (fault) throw new UsageError(privateKeyFaultTexts[fault]);
    const passphrase = passphraseFile ? await line(passphraseFile, '--passphrase-file') : '';
    return { credentialType: 'private-key', username, privateKey, passphrase };
  }
  const password = terminal.stdin.isTTY
    ? await promptHidden(terminal, terminal.t('cli.kroker.ask-password'))
    : await line('-', 'stdin');
  if (password === '') throw new UsageError('cli.usage.no-password');
  return { credentialType: 'password', username, password };
}
