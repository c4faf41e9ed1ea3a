import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { confirm } from '../command-line/prompt.ts';
import { openSession } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { nounOf } from './meta/noun.ts';
import { readPathParams } from './meta/path-params.ts';
import { resolveId } from './meta/resolve-id.ts';
import { resourceClient } from './meta/resource-client.ts';

/**
 * `delete`: confirms once for all items, then deletes them one by one. At the first error it stops and tells how far it came.
 */
export async function remove(
  terminal: Terminal,
  meta: ResourceMeta,
  items: readonly string[],
  options: { yes?: boolean },
): Promise<void> {
  const { t } = terminal;
  const { transport } = openSession(terminal);
  const noun = nounOf(meta, terminal, items.length === 1 ? 0 : 1);
  await confirm(terminal, t('cli.ask.delete', { noun, names: cleanLine(items.join(', ')) }), options.yes);
  const pathParams = await readPathParams(meta, { ...options }, transport, terminal.signal);
  const client = resourceClient(meta, transport);
  // All names are resolved first, so that a typo does not leave the deletion half done.
  const ids = await Promise.all(
    items.map((item) => resolveId(meta, item, transport, pathParams, terminal.signal)),
  );
  for (const [index, id] of ids.entries()) {
    const name = cleanLine(items[index]!);
    try {
      // An item that is named twice, by its name and its ID for example, is deleted once.
      if (ids.indexOf(id) === index) await client.remove(id, pathParams, { signal: terminal.signal });
    } catch (error) {
      if (ids.length > 1) {
        if (terminal.signal.aborted) printMessage(terminal, `${name}: ${t('apply.interrupted')}`);
        const left = ids.length - index;
        printMessage(terminal, t('cli.delete-stopped', { name, done: index, left }));
      }
      throw error;
    }
    printMessage(
      terminal,
      terminal.err.paint('success', t('cli.done.delete', { noun: nounOf(meta, terminal, 0), name })),
    );
  }
}
