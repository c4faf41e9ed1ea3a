// Technical detail of an outcome: text of a protocol as it is, or a text of ours for a reader whose language is not known
// yet.
import type { Translate } from '@yagura/core/i18n/translator';
import { isTranslatable, type TranslatableText, textOf } from './translatable-text.ts';

/** Can be sent to another thread and stored as JSON. */
export type Detail = string | TranslatableText;

export const maxDetailLength = 200;

/** The detail in English, or in the language of `t`; cut to its maximum length. */
export function detailText(given: Detail, t?: Translate): string {
  return (typeof given === 'string' ? given : textOf(given, t)).slice(0, maxDetailLength).toWellFormed();
}

/** The detail with its texts of the protocol cut to the maximum length, as it is stored. */
export function limitDetail(given: Detail): Detail {
  if (typeof given === 'string') return given.slice(0, maxDetailLength).toWellFormed();
  if (!given.params) return given;
  const params = Object.entries(given.params).map(([name, value]) => [
    name,
    typeof value === 'string' || isTranslatable(value) ? limitDetail(value) : value,
  ]);
  return { word: given.word, params: Object.fromEntries(params) };
}

/** An error whose message can be translated. */
export class DetailedError extends Error {
  readonly detail: Detail;

  constructor(given: Detail) {
    super(detailText(given));
    this.detail = given;
  }
}

/** What an error says; errors of the operating system say it in English. */
export function detailOfError(error: unknown): Detail {
  return error instanceof DetailedError ? error.detail : (error as Error).message;
}
