// Host keys that this gateway has accepted, in the state folder.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../replace-file.ts';
import type { Endpoint } from '../connect-socket.ts';

const content = z.record(z.string(), z.array(z.string().max(255)).max(20));

export class HostKeyFile {
  readonly path: string;
  private changing: Promise<unknown> = Promise.resolve();

  constructor(stateFolder: string) {
    this.path = join(stateFolder, 'host-keys.json');
  }

  /** Fingerprints of an endpoint; read each time, as the command line can remove some. */
  async find(endpoint: Endpoint): Promise<string[]> {
    return (await this.read())[nameOf(endpoint)] ?? [];
  }

  add(endpoint: Endpoint, fingerprint: string): Promise<void> {
    return this.change((all) => {
      const name = nameOf(endpoint);
      if (!all[name]?.includes(fingerprint)) all[name] = [...(all[name] ?? []), fingerprint];
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
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
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

function nameOf({ host, port }: Endpoint): string {
  return `${host.toLowerCase().replace(/\.$/, '')}:${port}`;
}
