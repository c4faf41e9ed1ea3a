// The operators and conditions from which rules, triggers and runbooks are made.
import { relatedFilters } from '@yagura/core/alerthub/engine/evaluation/related-filters';
import { conditions } from '@yagura/core/alerthub/engine/evaluation/trigger-conditions';
import { branchConditions } from '@yagura/core/alerthub/engine/operators/branch-conditions';
import { operators } from '@yagura/core/alerthub/engine/operators/operators';
import { ruleOperator } from '@yagura/core/alerthub/rule';
import { runbookBranchCondition, runbookOperator } from '@yagura/core/alerthub/runbook';
import {
  triggerCondition,
  triggerOperator,
  triggerRelatedMessageFilter,
} from '@yagura/core/alerthub/trigger';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { Behaviour } from '../../resource/behaviour.ts';
import { listInMemory } from '../../resource/list/in-memory-list.ts';

const catalog = (resource: AnyResource, items: Record<string, unknown>[]): Behaviour => ({
  resource,
  list: async (context) => listInMemory(resource, items, context),
});

const operatorItems = operators.map(({ operatorId, displayName, kind, params }) => ({
  operatorId,
  displayName,
  kind,
  params,
}));

export const catalogBehaviours: readonly Behaviour[] = [
  catalog(ruleOperator, operatorItems),
  catalog(triggerOperator, operatorItems),
  catalog(runbookOperator, operatorItems),
  catalog(
    triggerCondition,
    conditions.map(({ conditionId, displayName, params }) => ({ conditionId, displayName, params })),
  ),
  catalog(
    triggerRelatedMessageFilter,
    relatedFilters.map(({ filterId, displayName, params }) => ({ filterId, displayName, params })),
  ),
  catalog(
    runbookBranchCondition,
    branchConditions.map(({ operatorId, displayName, params }) => ({
      conditionId: operatorId,
      displayName,
      params,
    })),
  ),
];
