// Tests a rule before it is saved: evaluates given or recent messages as the pipeline would, without storing
// or sending anything.

import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import { touchedScopes } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { checkRule, type RuleSource } from '@yagura/core/alerthub/engine/evaluation/evaluate-rule';
import { runRuleTest, withOnlyRule } from '@yagura/core/alerthub/engine/execution/run-rule-test';
import type { RuleTestReplyBody, RuleTestRequest } from '@yagura/core/alerthub/rule-test';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../../common/clock.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-row.ts';
import { loadContributions, loadHistory, loadSeverities } from '../pipeline/load-history.ts';
import { rejectFlowErrors } from './reject-flow-errors.ts';

/** Maximum messages per test, and their maximum total bytes. */
const maxTestedMessages = 100;
const maxBytes = 16 << 20;

export async function testRule(context: RequestContext, body: unknown): Promise<RuleTestReplyBody> {
  const { database, pipeline, clock, nextId } = context.services;
  const asked = body as RuleTestRequest;
  const { rule: given, sinceAt } = asked;
  const now = isoTime(clock.now());
  const rule: RuleSource = { ...given, ruleId: nextId(), createdAt: now };
  rejectFlowErrors(
    context,
    checkRule(rule).map((error) => error.withPathPrefix('rule')),
  );
  const slot = await loadSlot(context, rule.receiveSlotId);
  const { receiveSlotId } = rule;
  const arrived = { messageId: nextId(), receivedAt: now, receiveSlotId, receiveSlotKind: slot.kind };
  const messages = await loadMessages(context, asked, arrived);
  const config = withOnlyRule(await pipeline.config.of(database, context.spaceId), rule);
  const scopes = touchedScopes(config, [{ receiveSlotId }]);
  const trials = runRuleTest({
    config,
    state: await loadSeverities(database, scopes),
    contributions: await loadContributions(database, scopes),
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

/** Messages of a test, specified in one of three ways; one that is not stored counts as received now. */
async function loadMessages(
  context: RequestContext,
  { message, messageId, sinceAt }: RuleTestRequest,
  arrived: Omit<ReceivedMessage, 'content' | 'metadata'>,
): Promise<ReceivedMessage[]> {
  if (message) return [{ ...message, ...arrived }];
  if (messageId !== undefined) return [await loadMessage(context, messageId)];
  return loadMessagesSince(context, arrived.receiveSlotId, sinceAt!);
}

/** Latest messages of a slot since a point in time, in order of arrival. Rejects if there are none. */
async function loadMessagesSince(
  context: RequestContext,
  slotId: string,
  sinceAt: string,
): Promise<ReceivedMessage[]> {
  const { rows } = await context.services.database.query<MessageRow & { message_id: string }>(
    `select ${messageColumns} from (
       select q.*, sum(q.size) over (order by q.received_at desc, q.message_id desc) - q.size as before from (
         select received_at, message_id, size from message
         where space_id = $1 and receive_slot_id = $2 and received_at >= $3
         order by received_at desc, message_id desc limit ${maxTestedMessages}
       ) q
     ) p join message m using (message_id)
     where p.before = 0 or p.before < ${maxBytes} order by p.received_at, p.message_id`,
    [context.spaceId, slotId, sinceAt],
  );
  if (rows.length === 0) {
    const reason = context.t('problem.no-message-since');
    throw new Problem('invalid', { invalidParams: [{ name: 'sinceAt', reason }] });
  }
  return rows.map((row) => toMessage(row));
}

async function loadSlot(context: RequestContext, id: string): Promise<{ displayName: string; kind: string }> {
  const { rows } = await context.services.database.query<{ displayName: string; kind: string }>(
    `select body->>'displayName' as "displayName", body->>'kind' as kind from resource
     where space_id = $1 and kind = 'receive-slot' and id = $2`,
    [context.spaceId, id],
  );
  if (!rows[0]) throw invalidField(context, 'rule.receiveSlotId');
  return rows[0];
}

async function loadMessage(context: RequestContext, id: string): Promise<ReceivedMessage> {
  const { rows } = await context.services.database.query<MessageRow & { message_id: string }>(
    `select ${messageColumns} from message m where m.space_id = $1 and m.message_id = $2`,
    [context.spaceId, id],
  );
  if (!rows[0]) throw invalidField(context, 'messageId');
  return toMessage(rows[0]);
}

function invalidField(context: RequestContext, name: string): Problem {
  return new Problem('invalid', { invalidParams: [{ name, reason: context.t('rule.reference') }] });
}
