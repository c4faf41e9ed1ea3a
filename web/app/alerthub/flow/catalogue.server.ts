// Fetches the catalogs of operators, conditions and filters for forms and views.
import { ruleOperator } from '@yagura/core/alerthub/rule';
import { triggerCondition, triggerRelatedMessageFilter } from '@yagura/core/alerthub/trigger';
import type { Api } from '../../signin/api.server.ts';
import type { ConditionItem } from './condition-editor.tsx';
import type { OperatorItem } from './flow-editor.tsx';
import type { RelatedFilterItem } from './related-filter-editor.tsx';

/** Page size larger than any catalog. */
const max = 1000;

export async function operators(api: Api): Promise<OperatorItem[]> {
  return (await api.client(ruleOperator).list({ limit: max })).items;
}

/** Operators allowed in a trigger's flow: transforms only, since that flow just prepares values. */
export async function transforms(api: Api): Promise<OperatorItem[]> {
  return (await operators(api)).filter((operator) => operator.kind === 'transform');
}

export async function conditions(api: Api): Promise<ConditionItem[]> {
  return (await api.client(triggerCondition).list({ limit: max })).items;
}

export async function relatedFilters(api: Api): Promise<RelatedFilterItem[]> {
  return (await api.client(triggerRelatedMessageFilter).list({ limit: max })).items;
}

/** Kind of each operator by its id. */
export async function operatorKinds(api: Api): Promise<Record<string, 'test' | 'transform'>> {
  return Object.fromEntries((await operators(api)).map(({ operatorId, kind }) => [operatorId, kind]));
}
