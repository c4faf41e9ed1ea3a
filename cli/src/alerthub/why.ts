// `why`: what a message caused, and why not more.
import type { Why } from '@yagura/core/alerthub/why';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { type DataForm, dataForm, isTable } from '../resource/data-form.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { writeItem } from '../resource/output.ts';
import { presenterOf } from '../resource/present.ts';
import { openSession } from '../signin/session.ts';
import { cleanLine } from '../term/clean.ts';
import type { DataOptions } from '../term/data-options.ts';
import type { Terminal } from '../term/terminal.ts';

export async function showWhy(terminal: Terminal, messageId: string, options: DataOptions): Promise<void> {
  const form = whyForm(options);
  const { transport } = openSession(terminal);
  const client = entryClient(entryNamed('message'), transport);
  const why = await client.call<Why>('why', { id: messageId, signal: terminal.signal });
  await writeWhy(terminal, why, form);
}

/** Reads the options of a command that ends in an explanation. */
export function whyForm(options: DataOptions): DataForm | undefined {
  return dataForm(options, Object.keys(entryNamed('message').calls.why!.reply ?? {}));
}

/** Writes an explanation: indented sentences, or the decision log as data. */
export async function writeWhy(terminal: Terminal, why: Why, form: DataForm | undefined): Promise<void> {
  if (form && !isTable(form)) {
    const fields = entryNamed('message').calls.why!.reply ?? {};
    const { transport } = openSession(terminal);
    await writeItem(terminal, { ...why }, { fields, columns: Object.keys(fields) }, form, transport);
    return;
  }
  // The sentences know all operators and their schemas, which no other command needs.
  const { explainWhy } = await import('@yagura/core/alerthub/decide/explain');
  const presenter = presenterOf(terminal);
  for (const { depth, tone, text, at } of explainWhy(why, terminal.t)) {
    const time = at === undefined ? '' : terminal.out.live ? formatDateTimeSeconds(at, presenter) : at;
    const line = terminal.out.paint(tone, cleanLine(text));
    terminal.out.write(`${'  '.repeat(depth)}${line}${time && terminal.out.paint('dim', `  ${time}`)}\n`);
  }
}
