// Tests a rule before it is saved: the pipeline's own way over one message, with nothing stored and nothing sent.

import { touchedScopes } from '@yagura/core/alerthub/decide/config';
import type { DecideMessage } from '@yagura/core/alerthub/decide/decide';
import { checkRule, type RuleSource } from '@yagura/core/alerthub/decide/rule';
import { type RuleTrial, tryRule, withOnlyRule } from '@yagura/core/alerthub/decide/try-rule';
import type { TestedRule } from '@yagura/core/alerthub/rule-test';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../clock.ts';
import type { Context } from '../resource/context.ts';
import { refuseBroken } from './check-flow.ts';
import { type MessageRow, messageColumns, messageOf } from './message-row.ts';
import { loadHistory, severitiesOf } from './past.ts';

export async function testRule(context: Context, body: unknown): Promise<RuleTrial> {
  const { database, pipeline, clock, nextId } = context.services;
  const { rule: given, messageId, message } = body as TestedRule;
  const now = isoTime(clock.now());
  const rule: RuleSource = { ...given, ruleId: nextId(), createdAt: now };
  refuseBroken(
    context,
    checkRule(rule).map((error) => error.under('rule')),
  );
  const slot = await slotOf(context, rule.receiveSlotId);
  const asked =
    messageId === undefined
      ? {
          ...message!,
          messageId: nextId(),
          receivedAt: now,
          receiveSlotId: rule.receiveSlotId,
          receiveSlotKind: slot.kind,
        }
      : await storedMessage(context, messageId);
  const config = withOnlyRule(await pipeline.config.of(database, context.spaceId), rule);
  const scopes = touchedScopes(config, [{ receiveSlotId: rule.receiveSlotId }]);
  return tryRule({
    config,
    state: await severitiesOf(database, scopes),
    history: await loadHistory(database, config, scopes, now),
    now,
    nextId,
    message: asked,
    slotName: slot.displayName,
  });
}

async function slotOf(context: Context, id: string): Promise<{ displayName: string; kind: string }> {
  const { rows } = await context.services.database.query<{ displayName: string; kind: string }>(
    `select body->>'displayName' as "displayName", body->>'kind' as kind from resource
     where space_id = $1 and kind = 'receive-slot' and id = $2`,
    [context.spaceId, id],
  );
  if (!rows[0]) throw refused(context, 'rule.receiveSlotId');
  return rows[0];
}

async function storedMessage(context: Context, id: string): Promise<DecideMessage> {
  const { rows } = await context.services.database.query<MessageRow & { message_id: string }>(
    `select ${messageColumns} from message m where m.space_id = $1 and m.message_id = $2`,
    [context.spaceId, id],
  );
  if (!rows[0]) throw refused(context, 'messageId');
  return messageOf(rows[0]);
}

function refused(context: Context, name: string): Problem {
  return new Problem('invalid', { invalidParams: [{ name, reason: context.t('rule.reference') }] });
}
