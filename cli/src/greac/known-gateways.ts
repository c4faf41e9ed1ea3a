// Remembers the key thumbprint of each gateway, so that a replaced key is noticed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { confirm } from '../command-line/prompt.ts';
import { CommandError } from '../command-line/report-error.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { settingsFolder } from '../signin/profiles.ts';
import { writeSettingsFile } from '../signin/write-settings-file.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

const fileName = 'gateways.json';

/** Thumbprints by origin and Kroker. */
type KnownGateways = Record<string, string>;

/** Asks when the key is not the known one; throws without a terminal, so that no script connects unnoticed. */
export async function checkGateway(
  terminal: Terminal,
  origin: string,
  krokerId: string,
  thumbprint: string,
): Promise<void> {
  const folder = settingsFolder(terminal.env);
  if (!folder) return;
  const path = join(folder, fileName);
  const gateways = await readGateways(path);
  const name = `${origin} ${krokerId}`;
  const known = gateways[name];
  if (known === thumbprint) return;
  if (known !== undefined) {
    printMessage(terminal, terminal.t('cli.connect.gateway-changed', { known, thumbprint }));
    if (!terminal.canPrompt) throw new CommandError('cli.connect.gateway-untrusted', { path });
    await confirm(terminal, terminal.t('cli.connect.gateway-ask'), undefined);
  }
  writeSettingsFile(path, { ...gateways, [name]: thumbprint });
}

async function readGateways(path: string): Promise<KnownGateways> {
  try {
    const found: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof found === 'object' && found !== null) return found as KnownGateways;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
  }
  // Without it, a replaced key would not be noticed.
  throw new UsageError('cli.connect.gateways-file', { path });
}
