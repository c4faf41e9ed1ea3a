// `open`: opens an item or list in the browser.

import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { closestMatch } from '../command-line/closest-match.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import { resources } from '../resource/meta/resources.ts';
import { openSession, type Session } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface OpenOptions {
  scope?: string;
  print?: boolean;
}

/** Opens the console, a list or an item, and prints the URL when no browser can be opened. */
export async function openScreen(
  terminal: Terminal,
  resource: string | undefined,
  item: string | undefined,
  options: OpenOptions,
): Promise<void> {
  const session = openSession(terminal);
  const address =
    session.origin +
    (resource ? await screenPath(terminal, session, findResource(resource), item, options) : '/');
  if (
    options.print ||
    !terminal.out.isTTY ||
    !(await (await import('../terminal/open-browser.ts')).openBrowser(address))
  )
    terminal.out.write(`${address}\n`);
}

/** Resources whose screen has an address without a parent, or with the scope, which has a flag. */
export const openableResources = resources.filter(({ screen }) => screen && !/:(?!scopeId\b)/.test(screen));

function findResource(word: string): ResourceMeta {
  const found = openableResources.find((meta) => meta.name === word || meta.plural === word);
  if (found) return found;
  const known = openableResources.map((meta) => meta.plural);
  const close = closestMatch(word, known);
  throw new UsageError('cli.usage.unknown-resource', {
    resource: word,
    resources: (close.length > 0 ? close : known).join(', '),
  });
}

async function screenPath(
  terminal: Terminal,
  { transport }: Session,
  meta: ResourceMeta,
  item: string | undefined,
  options: OpenOptions,
): Promise<string> {
  const screen = meta.screen!;
  const needsScope = screen.includes(':scopeId') || (item !== undefined && meta.parent === 'scope');
  if (needsScope && !options.scope) throw new UsageError('cli.usage.missing-flag', { flag: '--scope' });
  const scopeId = options.scope
    ? await resolveId(resourceNamed('scope'), options.scope, transport, {}, terminal.signal)
    : undefined;
  const list = screen.replace(':scopeId', encodeURIComponent(scopeId ?? ''));
  if (item === undefined || meta.singleton) return list;
  const id = await resolveId(meta, item, transport, { scopeId }, terminal.signal);
  return `${list}/${encodeURIComponent(id)}`;
}
