// Creates not-found errors in the caller's language.

import { Problem } from '@yagura/core/http/problem';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import type { RequestContext } from './request-context.ts';

/** The Problem (404) for an unknown id. */
export function itemNotFound(
  { language, t }: Pick<RequestContext, 'language' | 't'>,
  resource: AnyResource,
): Problem {
  return new Problem('not-found', {
    detail: t('problem.no-item', { noun: resourceNoun(resource.noun, language) }),
  });
}
