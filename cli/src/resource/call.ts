// Resource calls beyond the five verbs; arguments, confirmation and output are derived from metadata.

import { dataKey } from '@yagura/core/i18n/message-key';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { DataOptions } from '../command-line/data-options.ts';
import { confirm } from '../command-line/prompt.ts';
import { openSession } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { applyInput, readInput } from './input/read-input.ts';
import { maxOffset, parseInteger } from './list.ts';
import { parentsOf, readPathParams, toCamelCase } from './meta/path-params.ts';
import { resolveItem } from './meta/resolve-id.ts';
import { resourceClient } from './meta/resource-client.ts';
import type { Row } from './meta/row.ts';
import { parseOutputFormat } from './output/output-format.ts';
import { pickColumns, writeItem, writeRows } from './output/write-output.ts';

interface CallOptions extends DataOptions {
  yes?: boolean;
  limit?: string;
  offset?: string;
  columns?: string;
}

export async function runCall(
  terminal: Terminal,
  meta: ResourceMeta,
  name: string,
  item: string | undefined,
  options: CallOptions,
): Promise<void> {
  const callMeta = meta.calls[name]!;
  const reply = callMeta.reply ?? {};
  const known = Object.keys(reply);
  const format = parseOutputFormat(options, known);
  const columns = (callMeta.paged && pickColumns(options.columns, known)) || known;
  const { transport } = openSession(terminal);
  const description = terminal.t(dataKey(`call.${meta.name}.${name}`));
  const flags: Record<string, unknown> = { ...options };
  if (callMeta.danger) {
    const subject =
      item ??
      parentsOf(meta)
        .map((parent) => flags[toCamelCase(parent.name)])
        .join(' ');
    const question = subject === '' ? 'cli.ask.call' : 'cli.ask.call-on';
    await confirm(
      terminal,
      terminal.t(question, { call: description, name: cleanLine(subject) }),
      options.yes,
    );
  }
  const pathParams = await readPathParams(meta, flags, transport, terminal.signal);
  const id = await resolveItem(meta, item, transport, pathParams, terminal.signal);
  const body = callMeta.body
    ? applyInput({}, await readInput(callMeta.body, flags, terminal, transport))
    : undefined;
  const queryInput = callMeta.query
    ? applyInput({}, await readInput(callMeta.query, flags, terminal, transport))
    : {};
  const query = {
    ...(queryInput as Record<string, string | number>),
    limit: parseInteger(options.limit, '--limit', 1, 1000),
    offset: parseInteger(options.offset, '--offset', 0, maxOffset),
  };
  const answer = await resourceClient(meta, transport).call<Row>(name, {
    id,
    params: pathParams,
    body,
    query,
    signal: terminal.signal,
  });
  const shape = { fields: reply, columns };
  if (callMeta.paged) await writeRows(terminal, answer.items as Row[], shape, format, transport);
  else if (callMeta.reply) await writeItem(terminal, answer, shape, format, transport);
  else
    printMessage(terminal, terminal.err.paint('success', terminal.t('cli.done.call', { call: description })));
}
