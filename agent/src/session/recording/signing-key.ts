// The gateway's Ed25519 key that logs and their parts are signed with; made at the first start and kept in the state folder.
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '../../agent-error.ts';
import { createFolder } from '../../create-folder.ts';
import { replaceFile } from '../../replace-file.ts';
import { readPrivateFile } from '../../settings/private-file.ts';

export class SigningKey {
  /** The public half in base64url. */
  readonly publicKey: string;
  private readonly key: KeyObject;

  constructor(key: KeyObject) {
    this.key = key;
    this.publicKey = key.export({ format: 'jwk' }).x!;
  }

  /** Signature of `sealBytes` or `logEndBytes` in base64url. */
  sign(bytes: Uint8Array): string {
    return sign(null, bytes, this.key).toString('base64url');
  }
}

export async function loadSigningKey(stateFolder: string): Promise<SigningKey> {
  const path = join(stateFolder, 'signing-key.pem');
  const isMissing = await access(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
  if (isMissing) {
    createFolder(stateFolder);
    const { privateKey } = generateKeyPairSync('ed25519');
    await replaceFile(path, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  }
  try {
    return new SigningKey(createPrivateKey(await readPrivateFile(path)));
  } catch (error) {
    if (error instanceof AgentError) throw error;
    throw new AgentError('agent.file.signing-key', { file: path });
  }
}
