// `sonar search`: searches the managed nodes of all networks.

import type { DataOptions } from '../command-line/data-options.ts';
import { defaultColumns, defaultLimit, maxOffset, parseInteger } from '../resource/list.ts';
import { nounOf } from '../resource/meta/noun.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import type { Row } from '../resource/meta/row.ts';
import { isTableFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { pickColumns, printCount, writeRows } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
  const node = resourceNamed('managed-node');
  const known = Object.keys(node.fields);
  const format = parseOutputFormat(options, known);
  const columns = pickColumns(options.columns, known) ?? defaultColumns(node, terminal.out.isTTY);
  const query = {
    limit: parseInteger(options.limit, '--limit', 1, 1000) ?? defaultLimit,
    offset: parseInteger(options.offset, '--offset', 0, maxOffset),
  };
  const { transport, credential } = openSession(terminal);
  // API tokens can only use the public call, which returns a single page.
  const call = credential?.kind === 'token' ? 'managed-node-search' : 'managed-node-search-page';
  const client = resourceClient(resourceNamed(call), transport);
  const body = { query: words.join(' ') };
  const page = await client.call<{ items: Row[]; total: number }>('search', {
    body,
    query,
    signal: terminal.signal,
  });
  await writeRows(terminal, page.items, { fields: node.fields, columns, id: node.id }, format, transport);
  if (isTableFormat(format)) printCount(terminal, page.items.length, page.total, nounOf(node, terminal, 1));
}
