// `ksocket install`: creates a token and prints the commands that install the agent with it.
import { installSteps } from '@yagura/core/ksocket/install-commands';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { openSession } from '../signin/session.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';

/** The commands go to standard output, as a script with comments. */
export async function printInstall(
  terminal: Terminal,
  slot: string,
  { displayName }: { displayName: string },
): Promise<void> {
  const { transport } = openSession(terminal);
  const { signal, t } = terminal;
  const ksocketSlotId = await resolveId(resourceNamed('ksocket-slot'), slot, transport, {}, signal);
  const tokens = resourceClient(resourceNamed('ksocket-token'), transport);
  const made = await tokens.create({ displayName, expiresAt: null }, { ksocketSlotId }, { signal });
  printMessage(terminal, t('ksocket.install.intro'));
  const steps = installSteps({ origin: transport.origin, token: String(made.token), version });
  for (const { title, command } of steps) terminal.out.write(`# ${t(title)}\n${command}\n`);
}
