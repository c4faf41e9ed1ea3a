import { openSession } from '../signin/session.ts';
import { confirm } from '../term/ask.ts';
import { cleanLine } from '../term/clean.ts';
import { say, type Terminal } from '../term/terminal.ts';
import type { Entry } from './entry.ts';
import { entryClient } from './entry-client.ts';
import { nounOf } from './noun.ts';
import { placeOf } from './place.ts';
import { resolveId } from './resolve.ts';

/** `delete`: asks once for all, then deletes one after the other and stops at the first that fails. */
export async function remove(
  terminal: Terminal,
  entry: Entry,
  items: readonly string[],
  options: { yes?: boolean },
): Promise<void> {
  const { t } = terminal;
  const { transport } = openSession(terminal);
  const noun = nounOf(entry, terminal, items.length === 1 ? 0 : 1);
  await confirm(terminal, t('cli.ask.delete', { noun, names: cleanLine(items.join(', ')) }), options.yes);
  const place = await placeOf(entry, { ...options }, transport, terminal.signal);
  const client = entryClient(entry, transport);
  // All names are looked up first: a mistyped one must not be noticed halfway.
  const ids = await Promise.all(
    items.map((item) => resolveId(entry, item, transport, place, terminal.signal)),
  );
  for (const [index, id] of ids.entries()) {
    await client.remove(id, place, { signal: terminal.signal });
    const name = cleanLine(items[index]!);
    say(
      terminal,
      terminal.err.paint('success', t('cli.done.delete', { noun: nounOf(entry, terminal, 0), name })),
    );
  }
}
