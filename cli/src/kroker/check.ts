// `kroker check`: verifies that the space still accepts this machine's token.
import { send } from '@yagura/core/http/transport';
import { type CheckInReply, setupPaths } from '@yagura/core/kroker/kroker-setup';
import { anonymousTransport } from '../signin/origin.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { krokerPath, readKrokerFile } from './kroker-file.ts';

export async function checkKroker(terminal: Terminal, options: { file?: string }): Promise<void> {
  const { url, token } = readKrokerFile(krokerPath(terminal, options.file));
  const { data } = await send<CheckInReply>(
    { ...anonymousTransport(terminal, url), headers: () => ({ authorization: `Bearer ${token}` }) },
    { method: 'POST', path: setupPaths.check, signal: terminal.signal },
  );
  const names = { name: cleanLine(data.displayName), space: cleanLine(data.spaceName) };
  printMessage(terminal, terminal.err.paint('success', terminal.t('cli.kroker.known', names)));
}
