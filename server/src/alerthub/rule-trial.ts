// Tests a rule before it is saved: the pipeline's own way over a message or the latest ones, with nothing stored and nothing sent.

import { touchedScopes } from '@yagura/core/alerthub/decide/config';
import type { DecideMessage } from '@yagura/core/alerthub/decide/data';
import { checkRule, type RuleSource } from '@yagura/core/alerthub/decide/rule';
import { tryRule, withOnlyRule } from '@yagura/core/alerthub/decide/try-rule';
import type { RuleTrialReply, TestedRule } from '@yagura/core/alerthub/rule-test';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../clock.ts';
import type { RequestContext } from '../resource/context.ts';
import { refuseBroken } from './check-flow.ts';
import { type MessageRow, messageColumns, messageOf } from './message-row.ts';
import { loadHistory, severitiesOf } from './past.ts';

/** Messages that one test takes, and the bytes they may have together. */
const maxTried = 100;
const maxBytes = 16 << 20;

export async function testRule(context: RequestContext, body: unknown): Promise<RuleTrialReply> {
  const { database, pipeline, clock, nextId } = context.services;
  const asked = body as TestedRule;
  const { rule: given, sinceAt } = asked;
  const now = isoTime(clock.now());
  const rule: RuleSource = { ...given, ruleId: nextId(), createdAt: now };
  refuseBroken(
    context,
    checkRule(rule).map((error) => error.under('rule')),
  );
  const slot = await slotOf(context, rule.receiveSlotId);
  const { receiveSlotId } = rule;
  const arrived = { messageId: nextId(), receivedAt: now, receiveSlotId, receiveSlotKind: slot.kind };
  const messages = await messagesOf(context, asked, arrived);
  const config = withOnlyRule(await pipeline.config.of(database, context.spaceId), rule);
  const scopes = touchedScopes(config, [{ receiveSlotId }]);
  const trials = tryRule({
    config,
    state: await severitiesOf(database, scopes),
    history: await loadHistory(database, config, scopes, now),
    now,
    nextId,
    messages,
    slotName: slot.displayName,
  });
  const told = trials.findLast(({ matched }) => matched) ?? trials.at(-1)!;
  if (sinceAt === undefined) return told;
  const named = trials.map((trial) => {
    const { messageId: id, receivedAt } = trial.why;
    return { messageId: id, receivedAt, ...trial };
  });
  return { ...told, trials: named };
}

/** The messages that a test names in one of three ways; one that is not stored counts as arrived now. */
async function messagesOf(
  context: RequestContext,
  { message, messageId, sinceAt }: TestedRule,
  arrived: Omit<DecideMessage, 'content' | 'metadata'>,
): Promise<DecideMessage[]> {
  if (message) return [{ ...message, ...arrived }];
  if (messageId !== undefined) return [await storedMessage(context, messageId)];
  return messagesSince(context, arrived.receiveSlotId, sinceAt!);
}

/** The latest messages of a slot since a time, in order of arrival. Refused when there are none. */
async function messagesSince(
  context: RequestContext,
  slotId: string,
  sinceAt: string,
): Promise<DecideMessage[]> {
  const { rows } = await context.services.database.query<MessageRow & { message_id: string }>(
    `select ${messageColumns} from (
       select q.*, sum(q.size) over (order by q.received_at desc, q.message_id desc) - q.size as before from (
         select received_at, message_id, size from message
         where space_id = $1 and receive_slot_id = $2 and received_at >= $3
         order by received_at desc, message_id desc limit ${maxTried}
       ) q
     ) p join message m using (message_id)
     where p.before = 0 or p.before < ${maxBytes} order by p.received_at, p.message_id`,
    [context.spaceId, slotId, sinceAt],
  );
  if (rows.length === 0) {
    const reason = context.t('problem.no-message-since');
    throw new Problem('invalid', { invalidParams: [{ name: 'sinceAt', reason }] });
  }
  return rows.map((row) => messageOf(row));
}

async function slotOf(context: RequestContext, id: string): Promise<{ displayName: string; kind: string }> {
  const { rows } = await context.services.database.query<{ displayName: string; kind: string }>(
    `select body->>'displayName' as "displayName", body->>'kind' as kind from resource
     where space_id = $1 and kind = 'receive-slot' and id = $2`,
    [context.spaceId, id],
  );
  if (!rows[0]) throw refused(context, 'rule.receiveSlotId');
  return rows[0];
}

async function storedMessage(context: RequestContext, id: string): Promise<DecideMessage> {
  const { rows } = await context.services.database.query<MessageRow & { message_id: string }>(
    `select ${messageColumns} from message m where m.space_id = $1 and m.message_id = $2`,
    [context.spaceId, id],
  );
  if (!rows[0]) throw refused(context, 'messageId');
  return messageOf(rows[0]);
}

function refused(context: RequestContext, name: string): Problem {
  return new Problem('invalid', { invalidParams: [{ name, reason: context.t('rule.reference') }] });
}
