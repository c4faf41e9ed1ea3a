// Settings and token of an agent in a folder of their own, as `setup` writes them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AgentFiles {
  folder: string;
  /** Path of the settings. */
  settings: string;
  remove(): void;
}

/** `toml` is added to the paths of the token and the state folder. */
export function writeAgentFiles(toml: string, token: string): AgentFiles {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-agent-files-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  write('token', token);
  write('agent.toml', `tokenFile = "token"\nstateFolder = "state"\n${toml}`);
  return {
    folder,
    settings: join(folder, 'agent.toml'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
