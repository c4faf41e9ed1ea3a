// `kroker setup`: shows a code for a user to approve, and stores the key and the received token.
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '@yagura/core/http/problem';
import { setUpMachine } from '@yagura/core/kroker/machine-setup';
import { anonymousTransport, parseOrigin } from '../signin/origin.ts';
import { openSession } from '../signin/session.ts';
import { writeSettingsFile } from '../signin/write-settings-file.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { krokerPath, refuseExisting } from './kroker-file.ts';

export interface SetupOptions {
  file?: string;
  name?: string;
  replace?: boolean;
}

export async function setUpKroker(
  terminal: Terminal,
  address: string | undefined,
  options: SetupOptions,
): Promise<void> {
  const { t, signal, now } = terminal;
  const path = krokerPath(terminal, options.file);
  refuseExisting(path, options.replace);
  const origin = address ? parseOrigin(address) : openSession(terminal).origin;
  const headers = () => ({ 'accept-language': terminal.language });
  const setup = await setUpMachine({
    transport: { ...anonymousTransport(terminal, origin), headers },
    hostName: options.name ?? hostname(),
    ...{ signal, now },
    sleep: (milliseconds) => pause(milliseconds, undefined, { signal }),
    show({ url, code, thumbprint }) {
      printMessage(terminal, t('cli.kroker.open', { url }));
      printMessage(terminal, t('cli.kroker.code', { code }));
      printMessage(terminal, t('cli.kroker.thumbprint', { thumbprint }));
    },
  });
  if (!setup) throw new Problem('not-found', { title: t('cli.kroker.expired') });
  writeSettingsFile(path, setup.file);
  const names = { name: cleanLine(setup.displayName), space: cleanLine(setup.spaceName), file: path };
  printMessage(terminal, terminal.err.paint('success', t('cli.kroker.done', names)));
}
