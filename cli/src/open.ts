// `open`: the same thing in the browser.
import { catalogue } from './resource/catalogue.ts';
import type { Entry } from './resource/entry.ts';
import { entryNamed } from './resource/entry-client.ts';
import { resolveId } from './resource/resolve.ts';
import { openSession, type Session } from './signin/session.ts';
import { near } from './term/near.ts';
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

function entryOf(word: string): Entry {
  const entries = catalogue.filter((entry) => entry.screen);
  const found = entries.find((entry) => entry.name === word || entry.plural === word);
  if (found) return found;
  const known = entries.map((entry) => entry.plural);
  const close = near(word, known);
  throw new Usage('cli.usage.unknown-resource', {
    resource: word,
    resources: (close.length > 0 ? close : known).join(', '),
  });
}

async function screenOf(
  terminal: Terminal,
  { transport }: Session,
  entry: Entry,
  item: string | undefined,
  options: OpenOptions,
): Promise<string> {
  const screen = entry.screen!;
  const needsScope = screen.includes(':scopeId') || (item !== undefined && entry.parent === 'scope');
  if (needsScope && !options.scope) throw new Usage('cli.usage.missing-flag', { flag: '--scope' });
  const scopeId = options.scope
    ? await resolveId(entryNamed('scope'), options.scope, transport, {}, terminal.signal)
    : undefined;
  const list = screen.replace(':scopeId', encodeURIComponent(scopeId ?? ''));
  if (item === undefined || entry.singleton) return list;
  const id = await resolveId(entry, item, transport, { scopeId }, terminal.signal);
  return `${list}/${encodeURIComponent(id)}`;
}
