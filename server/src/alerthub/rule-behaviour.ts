// Rules, triggers, actions and receive slots: the checks and hidden parts beyond their descriptors.
import { randomBytes } from 'node:crypto';
import { action } from '@yagura/core/alerthub/action';
import { conditions } from '@yagura/core/alerthub/decide/conditions';
import { operators } from '@yagura/core/alerthub/decide/operators/catalogue';
import { checkAction } from '@yagura/core/alerthub/decide/render-action';
import { checkRule, type RuleBody } from '@yagura/core/alerthub/decide/rule';
import { checkTrigger, type TriggerSource } from '@yagura/core/alerthub/decide/trigger';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { rule, ruleOperator } from '@yagura/core/alerthub/rule';
import { trigger, triggerCondition } from '@yagura/core/alerthub/trigger';
import type { Behaviour } from '../resource/behaviour.ts';
import { bodyTable } from '../resource/table.ts';
import { wholeList } from '../resource/whole-list.ts';
import { refuseBroken } from './check-flow.ts';
import { testAction } from './drill.ts';
import { receivePath } from './receive.ts';

export const ruleBehaviour: Behaviour = {
  resource: rule,
  body(context, input) {
    refuseBroken(context, checkRule(input as unknown as RuleBody));
    return input;
  },
};

export const triggerBehaviour: Behaviour = {
  resource: trigger,
  body(context, input) {
    refuseBroken(context, checkTrigger(input as unknown as TriggerSource));
    return input;
  },
};

export const actionBehaviour: Behaviour = {
  resource: action,
  body(context, input) {
    refuseBroken(context, checkAction(input as unknown as Parameters<typeof checkAction>[0]));
    return input;
  },
  calls: { test: testAction },
};

/** 32 random bytes: an address that nobody guesses. */
const newToken = () => randomBytes(32).toString('base64url');

export const receiveSlotBehaviour: Behaviour = {
  resource: receiveSlot,
  table: bodyTable(receiveSlot, {
    join: `left join lateral (
      select received_at from message m where m.receive_slot_id = r.id order by received_at desc, message_id desc limit 1
    ) last on true`,
    select: 'last.received_at as last_received_at',
    item: (row) => ({ lastReceivedAt: row.last_received_at ?? null }),
  }),
  body: (_context, input, before) => ({
    ...input,
    primaryToken: before?.primaryToken ?? newToken(),
    secondaryToken: before?.secondaryToken ?? newToken(),
  }),
  present(context, { primaryToken, secondaryToken, ...item }) {
    const address = (token: unknown) => `${context.services.publicUrl}${receivePath}/${token}`;
    return { ...item, primary: address(primaryToken), secondary: address(secondaryToken) };
  },
};

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
