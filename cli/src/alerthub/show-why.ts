// `why`: explains what a message caused and which actions it did not trigger.
import type { DecisionLog } from '@yagura/core/alerthub/decision-log';
import type { ExplainLine } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import type { DataOptions } from '../command-line/data-options.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { isTableFormat, type OutputFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { createPresenter } from '../resource/output/present-value.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import type { Terminal } from '../terminal/terminal.ts';

export async function showWhy(terminal: Terminal, messageId: string, options: DataOptions): Promise<void> {
  const format = whyFormat(options);
  const { transport } = openSession(terminal);
  const client = resourceClient(resourceNamed('message'), transport);
  const why = await client.call<DecisionLog>('why', { id: messageId, signal: terminal.signal });
  await writeWhy(terminal, why, format);
}

/** Reads the output options of a command that ends with an explanation. */
export function whyFormat(options: DataOptions): OutputFormat | undefined {
  return parseOutputFormat(options, Object.keys(resourceNamed('message').calls.why!.reply ?? {}));
}

/** Writes an explanation: indented sentences, or the decision log as data. */
export async function writeWhy(
  terminal: Terminal,
  why: DecisionLog,
  format: OutputFormat | undefined,
): Promise<void> {
  if (format && !isTableFormat(format)) {
    const fields = resourceNamed('message').calls.why!.reply ?? {};
    const { transport } = openSession(terminal);
    await writeItem(terminal, { ...why }, { fields, columns: Object.keys(fields) }, format, transport);
    return;
  }
  // Loaded on demand: the explanations import all operators and their schemas.
  const { explainDecisions } = await import('@yagura/core/alerthub/engine/explain/explain-decisions');
  writeLines(terminal, explainDecisions(why, terminal.t));
}

/** Writes the sentences of an explanation. */
export function writeLines(terminal: Terminal, lines: readonly ExplainLine[]): void {
  const presenter = createPresenter(terminal);
  for (const { depth, tone, text, at } of lines) {
    const time = at === undefined ? '' : terminal.out.isTTY ? formatDateTimeSeconds(at, presenter) : at;
    const line = terminal.out.paint(tone, cleanLine(text));
    terminal.out.write(`${'  '.repeat(depth)}${line}${time && terminal.out.paint('dim', `  ${time}`)}\n`);
  }
}
