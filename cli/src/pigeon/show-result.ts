// `results show`: on a terminal, the result with the script of each of its calls.
import type { CallRecord } from '@yagura/core/pigeon/result';
import type { DataOptions } from '../command-line/data-options.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { isTableFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { detailColumns } from '../resource/show.ts';
import { openSession } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { wideMeasure } from '../terminal/measure.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap-text.ts';
import { callLines } from './call-lines.ts';

export async function showResult(terminal: Terminal, resultId: string, options: DataOptions): Promise<void> {
  const meta = resourceNamed('result');
  const format = parseOutputFormat(options, Object.keys(meta.fields));
  const { transport } = openSession(terminal);
  const found = await resourceClient(meta, transport).show(resultId, {}, terminal.signal);
  const isSheet = isTableFormat(format) && (format !== undefined || terminal.out.isTTY);
  const columns = detailColumns(meta).filter((name) => !isSheet || name !== 'calls');
  await writeItem(terminal, found, { fields: meta.fields, columns, id: meta.id }, format, transport);
  const calls = (found.calls ?? []) as CallRecord[];
  if (!isSheet || format?.fields) return;
  terminal.out.write(`\n${terminal.out.paint('bold', terminal.t('pigeon.timeline'))}\n`);
  const measure = await wideMeasure();
  const indented = (text: string, indent: string) =>
    wrapText(text, Math.max(1, terminal.columns - indent.length), measure)
      .map((line) => `${indent}${line}\n`)
      .join('');
  if (calls.length === 0) terminal.out.write(indented(terminal.t('pigeon.no-calls'), '  '));
  for (const { depth, text } of callLines(calls, terminal.t))
    terminal.out.write(indented(cleanLine(text), '  '.repeat(depth + 1)));
}
