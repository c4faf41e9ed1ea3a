// Calls beside the five verbs: what is given, whether it is dangerous and what comes back follow from the facts.
import { openSession } from '../signin/session.ts';
import { confirm } from '../term/ask.ts';
import { cleanLine } from '../term/clean.ts';
import type { DataOptions } from '../term/data-options.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { dataForm } from './data-form.ts';
import type { ResourceMeta, Row } from './entry.ts';
import { entryClient } from './entry-client.ts';
import { wholeNumber } from './list.ts';
import { nounOf } from './noun.ts';
import { writeItem, writeRows } from './output.ts';
import { camel, parentsOf, placeOf } from './place.ts';
import { overlay, readInput } from './read-input.ts';
import { resolveId } from './resolve.ts';

interface CallOptions extends DataOptions {
  yes?: boolean;
  limit?: string;
  offset?: string;
}

export async function call(
  terminal: Terminal,
  meta: ResourceMeta,
  name: string,
  item: string | undefined,
  options: CallOptions,
): Promise<void> {
  const facts = meta.calls[name]!;
  const reply = facts.reply ?? {};
  const form = dataForm(options, Object.keys(reply));
  const { transport } = openSession(terminal);
  const noun = nounOf(meta, terminal, facts.on === 'item' ? 0 : 1);
  const asked: Record<string, unknown> = { ...options };
  if (facts.danger) {
    const of =
      item ??
      parentsOf(meta)
        .map((parent) => asked[camel(parent.name)])
        .join(' ');
    await confirm(
      terminal,
      terminal.t('cli.ask.call', { call: name, noun, name: cleanLine(of) }),
      options.yes,
    );
  }
  const pathParams = await placeOf(meta, asked, transport, terminal.signal);
  const id = item && (await resolveId(meta, item, transport, pathParams, terminal.signal));
  const body = facts.body ? overlay({}, await readInput(facts.body, asked, terminal, transport)) : undefined;
  const asks = facts.query ? overlay({}, await readInput(facts.query, asked, terminal, transport)) : {};
  const query = {
    ...(asks as Record<string, string | number>),
    limit: wholeNumber(options.limit, '--limit', 1, 1000),
    offset: wholeNumber(options.offset, '--offset', 0, Number.MAX_SAFE_INTEGER),
  };
  const answer = await entryClient(meta, transport).call<Row>(name, {
    id,
    params: pathParams,
    body,
    query,
    signal: terminal.signal,
  });
  const shape = { fields: reply, columns: Object.keys(reply) };
  if (facts.paged) await writeRows(terminal, answer.items as Row[], shape, form, transport);
  else if (facts.reply) await writeItem(terminal, answer, shape, form, transport);
  else say(terminal, terminal.err.paint('success', terminal.t('cli.done.call', { call: name, noun })));
}
