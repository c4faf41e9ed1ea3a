// `sonar search`: managed nodes of all networks.
import { dataForm, isTable } from '../resource/data-form.ts';
import type { Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { usualColumns, wholeNumber } from '../resource/list.ts';
import { nounOf } from '../resource/noun.ts';
import { pickColumns, printCount, writeRows } from '../resource/output.ts';
import { openSession } from '../signin/session.ts';
import type { DataOptions } from '../term/data-options.ts';
import type { Terminal } from '../term/terminal.ts';

export interface SearchOptions extends DataOptions {
  limit?: string;
  offset?: string;
  columns?: string;
}

export async function search(
  terminal: Terminal,
  words: readonly string[],
  options: SearchOptions,
): Promise<void> {
  const node = entryNamed('managed-node');
  const known = Object.keys(node.fields);
  const form = dataForm(options, known);
  const columns = pickColumns(options.columns, known) ?? usualColumns(node, terminal.out.live);
  const query = {
    limit: wholeNumber(options.limit, '--limit', 1, 1000) ?? 50,
    offset: wholeNumber(options.offset, '--offset', 0, Number.MAX_SAFE_INTEGER),
  };
  const { transport, credential } = openSession(terminal);
  // API tokens have the public call only, which gives one page.
  const call = credential?.kind === 'token' ? 'managed-node-search' : 'managed-node-search-page';
  const client = entryClient(entryNamed(call), transport);
  const body = { query: words.join(' ') };
  const page = await client.call<{ items: Row[]; total: number }>('search', {
    body,
    query,
    signal: terminal.signal,
  });
  await writeRows(terminal, page.items, { fields: node.fields, columns, id: node.id }, form, transport);
  if (isTable(form)) printCount(terminal, page.items.length, page.total, nounOf(node, terminal, 1));
}
