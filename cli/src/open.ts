// `open`: the same thing in the browser.
import { catalogue } from './resource/catalogue.ts';
import type { ResourceMeta } from './resource/entry.ts';
import { entryNamed } from './resource/entry-client.ts';
import { resolveId } from './resource/resolve.ts';
import { openSession, type Session } from './signin/session.ts';
import { closestMatch } from './term/near.ts';
import type { Terminal } from './term/terminal.ts';
import { Usage } from './term/usage.ts';

export interface OpenOptions {
  scope?: string;
  print?: boolean;
}

/** Opens the console, a list in it, or one item, and prints the address where no browser opens. */
export async function openScreen(
  terminal: Terminal,
  resource: string | undefined,
  item: string | undefined,
  options: OpenOptions,
): Promise<void> {
  const session = openSession(terminal);
  const address =
    session.origin + (resource ? await screenOf(terminal, session, entryOf(resource), item, options) : '/');
  if (
    options.print ||
    !terminal.out.live ||
    !(await (await import('./term/open-browser.ts')).openBrowser(address))
  )
    terminal.out.write(`${address}\n`);
}

function entryOf(word: string): ResourceMeta {
  const entries = catalogue.filter((meta) => meta.screen);
  const found = entries.find((meta) => meta.name === word || meta.plural === word);
  if (found) return found;
  const known = entries.map((meta) => meta.plural);
  const close = closestMatch(word, known);
  throw new Usage('cli.usage.unknown-resource', {
    resource: word,
    resources: (close.length > 0 ? close : known).join(', '),
  });
}

async function screenOf(
  terminal: Terminal,
  { transport }: Session,
  meta: ResourceMeta,
  item: string | undefined,
  options: OpenOptions,
): Promise<string> {
  const screen = meta.screen!;
  const needsScope = screen.includes(':scopeId') || (item !== undefined && meta.parent === 'scope');
  if (needsScope && !options.scope) throw new Usage('cli.usage.missing-flag', { flag: '--scope' });
  const scopeId = options.scope
    ? await resolveId(entryNamed('scope'), options.scope, transport, {}, terminal.signal)
    : undefined;
  const list = screen.replace(':scopeId', encodeURIComponent(scopeId ?? ''));
  if (item === undefined || meta.singleton) return list;
  const id = await resolveId(meta, item, transport, { scopeId }, terminal.signal);
  return `${list}/${encodeURIComponent(id)}`;
}
