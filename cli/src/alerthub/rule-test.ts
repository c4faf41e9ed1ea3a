// `rules test`: what a rule would make of a message, before it is saved.
import type { RuleTrialReply } from '@yagura/core/alerthub/rule-test';
import { dataForm, isTable } from '../resource/data-form.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { parseTime } from '../resource/moment.ts';
import { writeItem } from '../resource/output.ts';
import { overlay, readInput } from '../resource/read-input.ts';
import { resolveId } from '../resource/resolve.ts';
import { openSession } from '../signin/session.ts';
import type { DataOptions } from '../term/data-options.ts';
import { readBytes } from '../term/read-source.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { writeWhy } from './why.ts';

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
  const meta = entryNamed('rule');
  const fields = meta.calls.test!.reply ?? {};
  const form = dataForm(options, Object.keys(fields));
  if (name === undefined && options.input === undefined) throw new Usage('cli.usage.rule');
  const { transport } = openSession(terminal);
  const client = entryClient(meta, transport);
  const { signal } = terminal;
  const stored =
    name === undefined
      ? {}
      : await client.show(await resolveId(meta, name, transport, {}, signal), {}, signal);
  const own = Object.entries(stored).filter(([field]) => field in (meta.input ?? {}));
  const given = await readInput(meta.input ?? {}, { input: options.input }, terminal, transport);
  const body = { rule: overlay(Object.fromEntries(own), given), ...(await messageOf(terminal, options)) };
  const trial = await client.call<RuleTrialReply>('test', { body, signal });
  if (form && !isTable(form)) {
    await writeItem(terminal, { ...trial }, { fields, columns: Object.keys(fields) }, form, transport);
    return;
  }
  if (trial.trials) {
    const matched = trial.trials.filter((one) => one.matched).length;
    const said = terminal.t('test.of-many', { total: trial.trials.length, matched });
    say(terminal, terminal.err.paint(matched > 0 ? 'success' : 'warning', said));
    for (const { why } of trial.trials) await writeWhy(terminal, why, undefined);
    return;
  }
  const word = trial.matched ? 'test.matched' : 'test.unmatched';
  say(terminal, terminal.err.paint(trial.matched ? 'success' : 'warning', terminal.t(word)));
  await writeWhy(terminal, trial.why, undefined);
}

/** What names the messages; the server refuses more than one way. */
async function messageOf(terminal: Terminal, { message, file, since }: TestOptions) {
  const stored = {
    ...(message === undefined ? {} : { messageId: message }),
    ...(since === undefined ? {} : { sinceAt: parseTime(since, '--since', terminal.now()) }),
  };
  if (file === undefined && Object.keys(stored).length > 0) return stored;
  if (file === undefined && terminal.stdin.isTTY) throw new Usage('cli.usage.content');
  const body = (await readBytes(file ?? '-', terminal, '--file')).toString('utf8');
  return { ...stored, message: { content: { body } } };
}
