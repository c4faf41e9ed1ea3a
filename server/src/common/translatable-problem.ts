// A problem created where the language of the caller is not known. Its detail is English until it is translated for the
// reply.
import { Problem, type ProblemKind, problemKinds } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/i18n/translator';
import { type TranslatableText, textOf } from './translatable-text.ts';

type Options = Omit<NonNullable<ConstructorParameters<typeof Problem>[1]>, 'detail'>;

export class TranslatableProblem extends Problem {
  readonly text: TranslatableText;

  constructor(kind: ProblemKind, text: TranslatableText, options: Options = {}) {
    super(kind, { ...options, detail: textOf(text) });
    this.text = text;
  }
}

/** The problem with a title and, if it is translatable, a detail in the language of `t`. Codes in titles stay. */
export function translateProblem(problem: Problem, t: Translate): Problem {
  const { kind, title, detail, type, status, instance, invalidParams, retryAfter } = problem;
  return new Problem(kind, {
    ...{ type, status, instance, invalidParams, retryAfter, cause: problem },
    title: title === problemKinds[kind].title ? t(`refusal.title.${kind}`) : title,
    detail: problem instanceof TranslatableProblem ? textOf(problem.text, t) : detail,
  });
}
