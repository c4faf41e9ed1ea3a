// Rules, triggers and actions: the checks and hidden parts beyond their descriptors.
import { action } from '@yagura/core/alerthub/action';
import { conditions } from '@yagura/core/alerthub/decide/conditions';
import { operators } from '@yagura/core/alerthub/decide/operators/catalogue';
import { relatedFilters } from '@yagura/core/alerthub/decide/related';
import { checkAction } from '@yagura/core/alerthub/decide/render-action';
import { checkRule, type RuleBody } from '@yagura/core/alerthub/decide/rule';
import { checkTrigger, type TriggerSource } from '@yagura/core/alerthub/decide/trigger';
import { rule, ruleOperator } from '@yagura/core/alerthub/rule';
import { trigger, triggerCondition, triggerRelatedMessageFilter } from '@yagura/core/alerthub/trigger';
import { Problem } from '@yagura/core/http/problem';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { maskRequest } from '../audit/mask-outgoing.ts';
import { isUuid } from '../id.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import type { RequestContext } from '../resource/context.ts';
import { noItem } from '../resource/no-item.ts';
import { announce } from '../resource/serve.ts';
import { wholeList } from '../resource/whole-list.ts';
import { refuseBroken } from './check-flow.ts';
import { testAction } from './drill.ts';
import { onPremisesFeature } from './on-premises.ts';
import { testRule } from './rule-trial.ts';

export const ruleBehaviour: Behaviour = {
  resource: rule,
  body(context, input) {
    refuseBroken(context, checkRule(input as unknown as RuleBody));
    return input;
  },
  calls: { test: testRule },
};

export const triggerBehaviour: Behaviour = {
  resource: trigger,
  body(context, input) {
    refuseBroken(context, checkTrigger(input as unknown as TriggerSource));
    return input;
  },
};

const onPremisesKind = 'webhookOnPremises';

function refuseWithoutTicket(context: RequestContext): void {
  if (context.services.contract.opens(onPremisesFeature)) return;
  const reason = context.t('delivery.noTicket');
  throw new Problem('invalid', { invalidParams: [{ name: 'kind', reason }] });
}

/** Credentials in headers and addresses are for those who may change them. */
export function maySeeRequests(context: Pick<RequestContext, 'may'>): boolean {
  return context.may(permissionFor(action, 'edit'));
}

export const actionBehaviour: Behaviour = {
  resource: action,
  body(context, input, before) {
    if (input.kind === onPremisesKind && before?.kind !== onPremisesKind) refuseWithoutTicket(context);
    refuseBroken(context, checkAction(input as unknown as Parameters<typeof checkAction>[0]));
    return input;
  },
  // Who only looks needs no credential of the receiver.
  present: (context, item) =>
    maySeeRequests(context) ? item : { ...item, parameters: maskRequest(item.parameters) },
  calls: {
    test: testAction,
    async 'signing-secret'(context) {
      return { secret: await context.services.signing.text(await knownAction(context)) };
    },
    async 'renew-signing-secret'(context) {
      const { signing } = context.services;
      const actionId = await knownAction(context);
      await signing.renew(context.spaceId, actionId);
      announce(context, action, actionId, 'update');
      return { secret: await signing.text(actionId) };
    },
  },
};

/** The id of the action that a call is about; a Problem when there is none. */
async function knownAction(context: RequestContext): Promise<string> {
  const { services, spaceId, params } = context;
  const { actionId } = params;
  const { rows } = await services.database.query(
    'select 1 from resource where space_id = $1 and kind = $2 and id = $3',
    [spaceId, action.name, isUuid(actionId) ? actionId : null],
  );
  if (!rows[0]) throw noItem(context, action);
  return actionId!;
}

export const ruleOperatorBehaviour: Behaviour = {
  resource: ruleOperator,
  list: async (context) =>
    wholeList(
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
    wholeList(
      triggerCondition,
      conditions.map(({ conditionId, displayName, params }) => ({ conditionId, displayName, params })),
      context,
    ),
};

export const triggerRelatedMessageFilterBehaviour: Behaviour = {
  resource: triggerRelatedMessageFilter,
  list: async (context) =>
    wholeList(
      triggerRelatedMessageFilter,
      relatedFilters.map(({ filterId, displayName, params }) => ({ filterId, displayName, params })),
      context,
    ),
};
