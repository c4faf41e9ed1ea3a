// Rules, triggers and actions: checks and hidden fields beyond their descriptors.
import { action } from '@yagura/core/alerthub/action';
import { checkRule, type RuleBody } from '@yagura/core/alerthub/engine/evaluation/evaluate-rule';
import { checkTrigger, type TriggerSource } from '@yagura/core/alerthub/engine/evaluation/evaluate-trigger';
import { relatedFilters } from '@yagura/core/alerthub/engine/evaluation/related-filters';
import { conditions } from '@yagura/core/alerthub/engine/evaluation/trigger-conditions';
import { operators } from '@yagura/core/alerthub/engine/operators/operators';
import { checkAction } from '@yagura/core/alerthub/engine/template/render-action';
import { rule, ruleOperator } from '@yagura/core/alerthub/rule';
import { trigger, triggerCondition, triggerRelatedMessageFilter } from '@yagura/core/alerthub/trigger';
import { Problem } from '@yagura/core/http/problem';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { maskRequest } from '../../audit/mask-request.ts';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { listInMemory } from '../../resource/list/in-memory-list.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { onPremisesFeature } from '../deliveries/on-premises-sender.ts';
import { rejectEmailWithoutSender, rejectUndeliverableWebhook } from '../deliveries/reject-undeliverable.ts';
import { sendTestDelivery } from '../deliveries/test-delivery.ts';
import { rejectFlowErrors } from './reject-flow-errors.ts';
import { testRule } from './rule-test.ts';

export const ruleBehaviour: Behaviour = {
  resource: rule,
  body(context, input) {
    rejectFlowErrors(context, checkRule(input as unknown as RuleBody));
    return input;
  },
  calls: { test: testRule },
};

export const triggerBehaviour: Behaviour = {
  resource: trigger,
  body(context, input) {
    rejectFlowErrors(context, checkTrigger(input as unknown as TriggerSource));
    return input;
  },
};

const onPremisesKind = 'webhookOnPremises';

function rejectWithoutTicket(context: RequestContext): void {
  if (context.services.contract.allowsFeature(onPremisesFeature)) return;
  const reason = context.t('delivery.noTicket');
  throw new Problem('invalid', { invalidParams: [{ name: 'kind', reason }] });
}

/** Only users who may edit actions see credentials in headers and URLs. */
export function canSeeRequests(context: Pick<RequestContext, 'may'>): boolean {
  return context.may(permissionFor(action, 'edit'));
}

export const actionBehaviour: Behaviour = {
  resource: action,
  body(context, input, before) {
    if (input.kind === onPremisesKind && before?.kind !== onPremisesKind) rejectWithoutTicket(context);
    rejectUndeliverableWebhook(context, input);
    rejectFlowErrors(context, checkAction(input as unknown as Parameters<typeof checkAction>[0]));
    return input;
  },
  afterWrite: (tx, context, _id, body) => rejectEmailWithoutSender(tx, context, body),
  // Users with read access do not need the receiver's credentials.
  present: (context, item) =>
    canSeeRequests(context) ? item : { ...item, parameters: maskRequest(item.parameters) },
  calls: {
    test: sendTestDelivery,
    async 'signing-secret'(context) {
      return { secret: await context.services.signing.currentSecretText(await loadAction(context)) };
    },
    async 'renew-signing-secret'(context) {
      const { signing } = context.services;
      const actionId = await loadAction(context);
      await signing.renew(context.spaceId, actionId);
      announce(context, action, actionId, 'update');
      return { secret: await signing.currentSecretText(actionId) };
    },
  },
};

/** Returns the id of the action in the request path; throws a Problem if it does not exist. */
async function loadAction(context: RequestContext): Promise<string> {
  const { services, spaceId, params } = context;
  const { actionId } = params;
  const { rows } = await services.database.query(
    'select 1 from resource where space_id = $1 and kind = $2 and id = $3',
    [spaceId, action.name, isUuid(actionId) ? actionId : null],
  );
  if (!rows[0]) throw itemNotFound(context, action);
  return actionId!;
}

export const ruleOperatorBehaviour: Behaviour = {
  resource: ruleOperator,
  list: async (context) =>
    listInMemory(
      ruleOperator,
      operators.map(({ operatorId, displayName, kind, params }) => ({
        operatorId,
        displayName,
        kind,
        params,
      })),
      context,
    ),
};

export const triggerConditionBehaviour: Behaviour = {
  resource: triggerCondition,
  list: async (context) =>
    listInMemory(
      triggerCondition,
      conditions.map(({ conditionId, displayName, params }) => ({ conditionId, displayName, params })),
      context,
    ),
};

export const triggerRelatedMessageFilterBehaviour: Behaviour = {
  resource: triggerRelatedMessageFilter,
  list: async (context) =>
    listInMemory(
      triggerRelatedMessageFilter,
      relatedFilters.map(({ filterId, displayName, params }) => ({ filterId, displayName, params })),
      context,
    ),
};
