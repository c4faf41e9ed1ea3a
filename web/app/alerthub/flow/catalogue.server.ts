// The product's catalogues of operators and conditions, as forms and views need them.
import { ruleOperator } from '@yagura/core/alerthub/rule';
import { runbook } from '@yagura/core/alerthub/runbook';
import { triggerCondition, triggerRelatedMessageFilter } from '@yagura/core/alerthub/trigger';
import type { Api } from '../../signin/api.server.ts';
import type { ConditionItem } from './condition-editor.tsx';
import type { OperatorItem } from './flow-editor.tsx';
import type { RelatedFilterItem } from './related-filter-editor.tsx';

/** Larger than any catalogue. */
const max = 1000;

export async function operators(api: Api): Promise<OperatorItem[]> {
  return (await api.client(ruleOperator).list({ limit: max })).items;
}

/** The operators that a trigger's flow is made of: it only prepares values. */
export async function transforms(api: Api): Promise<OperatorItem[]> {
  return (await operators(api)).filter((operator) => operator.kind === 'transform');
}

export async function conditions(api: Api): Promise<ConditionItem[]> {
  return (await api.client(triggerCondition).list({ limit: max })).items;
}

export async function relatedFilters(api: Api): Promise<RelatedFilterItem[]> {
  return (await api.client(triggerRelatedMessageFilter).list({ limit: max })).items;
}

/** The runbooks that a trigger can run, by id; none for whom may not list them. */
export async function runbookNames(api: Api): Promise<Record<string, { name: string }>> {
  const page = await api
    .client(runbook)
    .list({ limit: max, sort: 'displayName' })
    .catch(() => ({ items: [] }));
  return Object.fromEntries(page.items.map((one) => [one.runbookId, { name: one.displayName }]));
}

/** What each operator does, by its id. */
export async function operatorKinds(api: Api): Promise<Record<string, 'test' | 'transform'>> {
  return Object.fromEntries((await operators(api)).map(({ operatorId, kind }) => [operatorId, kind]));
}
