// Keys that hosts showed when the agent first signed in: one file for each service, so that a key can be
// forgotten while the agent runs.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { createFolder } from '../create-folder.ts';
import { replaceFile } from '../replace-file.ts';

/** What a host shows before a sign-in: an ssh host key, or the certificate of WinRM. */
export interface HostKey {
  /** Such as `ssh-ed25519`; `x509` for a certificate. */
  type: string;
  /** `SHA256:` and the hash in Base64. */
  fingerprint: string;
}

export interface KnownHost extends HostKey {
  protocol: 'ssh' | 'winrm';
  address: string;
  port: number;
}

type Service = Pick<KnownHost, 'protocol' | 'address' | 'port'>;

export class KnownHosts {
  private readonly folder: string;

  constructor(stateFolder: string) {
    this.folder = join(stateFolder, 'hosts');
  }

  async find(service: Service): Promise<HostKey | undefined> {
    let text: string;
    try {
      text = await readFile(this.pathOf(service), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const [type = '', fingerprint = ''] = text.trim().split(' ');
    return { type, fingerprint };
  }

  /** Whether the key may be trusted: it is the known one, or the first one, which is stored. */
  async accept(service: Service, key: HostKey): Promise<boolean> {
    const known = await this.find(service);
    if (known) return known.fingerprint === key.fingerprint;
    createFolder(this.folder);
    await replaceFile(this.pathOf(service), `${key.type} ${key.fingerprint}\n`);
    return true;
  }

  async list(): Promise<KnownHost[]> {
    const found: KnownHost[] = [];
    for (const service of await this.services()) {
      const key = await this.find(service);
      if (key) found.push({ ...service, ...key });
    }
    return found;
  }

  /** The keys that were forgotten; the next sign-in at the address stores the key that it finds. */
  async forget(address: string): Promise<KnownHost[]> {
    const forgotten = (await this.list()).filter((one) => one.address === address);
    for (const one of forgotten) await rm(this.pathOf(one), { force: true });
    return forgotten;
  }

  private async services(): Promise<Service[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.sort().flatMap((name): Service[] => {
      const match = /^(ssh|winrm)_([\d.]+)_(\d+)$/.exec(name);
      if (!match || !isIpv4(match[2]!)) return [];
      return [{ protocol: match[1] as Service['protocol'], address: match[2]!, port: Number(match[3]) }];
    });
  }

  private pathOf({ protocol, address, port }: Service): string {
    return join(this.folder, `${protocol}_${address}_${port}`);
  }
}
