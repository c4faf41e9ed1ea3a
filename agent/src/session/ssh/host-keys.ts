// Host keys that this gateway has accepted, in the state folder: for each endpoint, algorithm and fingerprint of each key,
// or its fingerprint only.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { createFolder } from '../../create-folder.ts';
import { replaceFile } from '../../replace-file.ts';
import type { Endpoint } from '../connect-socket.ts';

export interface KnownKey {
  /** Such as `ssh-ed25519`, if it was stored. */
  algorithm?: string;
  /** `SHA256:` and the hash in Base64. */
  fingerprint: string;
}

const content = z.record(z.string(), z.array(z.string().max(255)).max(20));

export class HostKeyFile {
  readonly path: string;
  private changing: Promise<unknown> = Promise.resolve();

  constructor(stateFolder: string) {
    this.path = join(stateFolder, 'host-keys.json');
  }

  /** Keys of an endpoint; read each time, as the command line can remove some. */
  async find(endpoint: Endpoint): Promise<KnownKey[]> {
    return ((await this.read())[nameOf(endpoint)] ?? []).map(parseKey);
  }

  add(endpoint: Endpoint, { algorithm, fingerprint }: Required<KnownKey>): Promise<void> {
    return this.change((all) => {
      const name = nameOf(endpoint);
      const others = (all[name] ?? []).filter((entry) => parseKey(entry).fingerprint !== fingerprint);
      all[name] = [...others, `${algorithm} ${fingerprint}`];
    });
  }

  /** Whether there was something to remove. */
  async remove(endpoint: Endpoint): Promise<boolean> {
    let found = false;
    await this.change((all) => {
      found = nameOf(endpoint) in all;
      delete all[nameOf(endpoint)];
    });
    return found;
  }

  private change(edit: (all: z.output<typeof content>) => void): Promise<void> {
    const done = this.changing.then(async () => {
      const all = await this.read();
      edit(all);
      createFolder(dirname(this.path));
      await replaceFile(this.path, JSON.stringify(all, null, 2));
    });
    this.changing = done.catch(() => undefined);
    return done;
  }

  /** A damaged file is an error: taking it for empty would accept changed keys. */
  private async read(): Promise<z.output<typeof content>> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
    return content.parse(JSON.parse(text));
  }
}

/** The algorithm of a certificate may have spaces. */
function parseKey(entry: string): KnownKey {
  const at = entry.lastIndexOf(' ');
  const fingerprint = entry.slice(at + 1);
  return at < 0 ? { fingerprint } : { algorithm: entry.slice(0, at), fingerprint };
}

function nameOf({ host, port }: Endpoint): string {
  return `${host.toLowerCase().replace(/\.$/, '')}:${port}`;
}
