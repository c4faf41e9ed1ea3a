// `pigeon preview`: shows who would be called when, without calling anyone.
import { formatElapsed } from '@yagura/core/pigeon/call-script';
import { previewEnd, previewOutcome } from '@yagura/core/pigeon/preview-texts';
import type { PreviewCall, RingPreview } from '@yagura/core/pigeon/ring-preview';
import type { DataOptions } from '../command-line/data-options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { isTableFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import { cleanField, cleanLine } from '../terminal/clean.ts';
import { measureFor } from '../terminal/measure.ts';
import { formatTable } from '../terminal/table.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { parseParameters } from './call.ts';

interface PreviewOptions extends DataOptions {
  guidance: string;
  param?: string[];
  assume?: string;
  phone?: string[];
}

export async function previewCalls(
  terminal: Terminal,
  callflow: string,
  options: PreviewOptions,
): Promise<void> {
  const meta = resourceNamed('chain');
  const fields = meta.calls.preview!.reply!;
  const columns = Object.keys(fields);
  const format = parseOutputFormat(options, columns);
  const parameters = parseParameters(options.param ?? []);
  const phones = (options.phone ?? []).map(parsePhone);
  const { transport } = openSession(terminal);
  const [callflowId, guidanceId] = await Promise.all([
    resolveId(resourceNamed('callflow'), callflow, transport, {}, terminal.signal),
    resolveId(resourceNamed('guidance'), options.guidance, transport, {}, terminal.signal),
  ]);
  const preview = await resourceClient(meta, transport).call<RingPreview>('preview', {
    body: {
      params: { callflowId, guidanceId, parameters },
      ...(options.assume === undefined ? {} : { assume: options.assume }),
      phones,
    },
    signal: terminal.signal,
  });
  if (format && !isTableFormat(format)) {
    await writeItem(terminal, { ...preview }, { fields, columns }, format, transport);
    return;
  }
  const rows = preview.calls.map((call) => callRow(call, terminal));
  if (!terminal.out.isTTY && !format) {
    for (const row of rows) terminal.out.write(`${row.map(cleanField).join('\t')}\n`);
  } else terminal.out.write(await callTable(terminal, rows));
  printMessage(terminal, previewEnd(preview, terminal.t));
  if (preview.rejection !== null) printMessage(terminal, cleanLine(preview.rejection));
}

function callRow(call: PreviewCall, { t }: Terminal): string[] {
  return [
    formatElapsed(call.startsAt),
    formatElapsed(call.endsAt),
    call.contact.displayName || t('pigeon.unnamed'),
    call.phoneNumber,
    String(call.loop),
    previewOutcome(call, t),
  ];
}

async function callTable(terminal: Terminal, rows: readonly string[][]): Promise<string> {
  const { t } = terminal;
  const columns = [
    { title: t('label.startedAt'), whole: true, right: true },
    { title: t('label.endedAt'), whole: true, right: true },
    { title: t('pigeon.ring-preview.contact'), name: true },
    { title: t('label.phoneNumber'), whole: true },
    { title: t('pigeon.ring-preview.loop'), whole: true, right: true },
    { title: t('pigeon.ring-preview.outcome') },
  ];
  const cells = rows.map((row) => row.map((text) => ({ text: cleanLine(text) })));
  const measure = await measureFor([
    ...columns.map(({ title }) => title),
    ...cells.flat().map(({ text }) => text),
  ]);
  return `${formatTable(columns, cells, terminal.columns, measure, terminal.out.paint).join('\n')}\n`;
}

function parsePhone(pair: string): { position: number; assume: string } {
  const [, position, assume] = /^([1-9]\d{0,3})=(.+)$/s.exec(pair) ?? [];
  if (!position) throw new UsageError('cli.usage.pair', { flag: '--phone', text: pair });
  return { position: Number(position), assume: assume! };
}
