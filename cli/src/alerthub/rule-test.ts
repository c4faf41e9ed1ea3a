// `rules test`: evaluates a rule against a message before the rule is saved.
import type { RuleTestReplyBody } from '@yagura/core/alerthub/rule-test';
import type { DataOptions } from '../command-line/data-options.ts';
import { readFileOrStdinBytes } from '../command-line/read-file-or-stdin.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { parseTime } from '../resource/input/parse-time.ts';
import { applyInput, readInput } from '../resource/input/read-input.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { isTableFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { writeWhy } from './show-why.ts';

interface TestOptions extends DataOptions {
  input?: string;
  message?: string;
  since?: string;
  file?: string;
}

export async function testRule(
  terminal: Terminal,
  name: string | undefined,
  options: TestOptions,
): Promise<void> {
  const meta = resourceNamed('rule');
  const fields = meta.calls.test!.reply ?? {};
  const format = parseOutputFormat(options, Object.keys(fields));
  if (name === undefined && options.input === undefined) throw new UsageError('cli.usage.rule');
  const { transport } = openSession(terminal);
  const client = resourceClient(meta, transport);
  const { signal } = terminal;
  const stored =
    name === undefined
      ? {}
      : await client.show(await resolveId(meta, name, transport, {}, signal), {}, signal);
  const storedFields = Object.entries(stored).filter(([field]) => field in (meta.input ?? {}));
  const values = await readInput(meta.input ?? {}, { input: options.input }, terminal, transport);
  const body = {
    rule: applyInput(Object.fromEntries(storedFields), values),
    ...(await readTestMessage(terminal, options)),
  };
  const result = await client.call<RuleTestReplyBody>('test', { body, signal });
  if (format && !isTableFormat(format)) {
    await writeItem(terminal, { ...result }, { fields, columns: Object.keys(fields) }, format, transport);
    return;
  }
  if (result.trials) {
    const matched = result.trials.filter((one) => one.matched).length;
    const summary = terminal.t('test.of-many', { total: result.trials.length, matched });
    printMessage(terminal, terminal.err.paint(matched > 0 ? 'success' : 'warning', summary));
    for (const { why } of result.trials) await writeWhy(terminal, why, undefined);
    return;
  }
  const word = result.matched ? 'test.matched' : 'test.unmatched';
  printMessage(terminal, terminal.err.paint(result.matched ? 'success' : 'warning', terminal.t(word)));
  await writeWhy(terminal, result.why, undefined);
}

/** Selects stored messages, or reads one from a file or stdin; the server rejects more than one of these. */
async function readTestMessage(terminal: Terminal, { message, file, since }: TestOptions) {
  const stored = {
    ...(message === undefined ? {} : { messageId: message }),
    ...(since === undefined ? {} : { sinceAt: parseTime(since, '--since', terminal.now()) }),
  };
  if (file === undefined && Object.keys(stored).length > 0) return stored;
  if (file === undefined && terminal.stdin.isTTY) throw new UsageError('cli.usage.content');
  const body = (await readFileOrStdinBytes(file ?? '-', terminal, '--file')).toString('utf8');
  return { ...stored, message: { content: { body } } };
}
