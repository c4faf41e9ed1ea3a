// Making and changing an item, or the body of a call, as YAML in an editor; what is refused comes back marked where it is wrong.
import type { Transport } from '@yagura/core/http/transport';
import { parse } from 'yaml';
import { labelOf } from '../resource/present.ts';
import { actWord } from './actions.ts';
import { documentOf, readDocument } from './document.ts';
import { bodyOf } from './form.ts';
import type { Outcome } from './reducer.ts';
import { current, sent, startOf } from './send-form.ts';
import type { Request } from './state.ts';
import { type AppContext, nounFor } from './world.ts';

/** Times that a text comes back before it is given up, so that a broken editor cannot go round for ever. */
const rounds = 50;

type Edit = Extract<Request, { act: 'edit' }>;

export async function editItem(
  transport: Transport,
  context: AppContext,
  request: Edit,
  write: (text: string) => string,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { action, subject } = request;
  const { t } = context;
  const facts = action.body ?? {};
  const { now, etag } = await current(transport, request, signal);
  const base = startOf(facts, now);
  // What was typed into a form goes on here.
  const typed = request.texts ? bodyOf(facts, request.texts, parse).body : {};
  const title = `${actWord(t, action.name)}: ${nounFor(context, action.resource, 0)} ${subject.title}`;
  const words = { title, labelOf: (field: string) => labelOf(field, t), t };
  let text = documentOf(facts, { ...base, ...typed }, [], words);
  let before = text;
  for (let round = 0; round < rounds; round += 1) {
    const after = write(text);
    if (after.trim() === '' || (after === before && (round > 0 || action.way !== 'create')))
      return { text: t('tui.edit.left'), failed: false };
    const read = readDocument(after, facts, t);
    const mistakes =
      read.mistakes.length > 0
        ? read.mistakes
        : await sent(transport, request, read.body, base, etag, signal);
    if (!Array.isArray(mistakes)) {
      return {
        text: t('tui.done', { act: actWord(t, action.name), what: mistakes.title }),
        failed: false,
      };
    }
    text = documentOf(facts, read.body, mistakes, words, after);
    before = text;
  }
  return { text: t('tui.edit.left'), failed: true };
}
