// Request and reply of testing a rule before it is saved.
import { z } from 'zod';
import * as field from '../resource/field.ts';
import { decisionLog } from './decision-log.ts';
import { ruleBody } from './rule-body.ts';

/** Requires exactly one way to name messages. */
function exactlyOne(
  payload: z.core.ParsePayload<{ messageId?: unknown; message?: unknown; sinceAt?: unknown }>,
): void {
  const { value, issues } = payload;
  const count = [value.messageId, value.message, value.sinceAt].filter((given) => given !== undefined).length;
  if (count === 1) return;
  const inline = value.message === undefined ? 'sinceAt' : 'message';
  const id = value.messageId === undefined && count > 0 ? 'sinceAt' : 'messageId';
  const params = count === 0 ? { word: 'rule.required' } : { word: 'pigeon.one-way', id, inline };
  issues.push({ code: 'custom', input: value, path: ['messageId'], params });
}

export const ruleTestRequest = z
  .object({
    /** A rule as it would be saved; its name may be missing. */
    rule: field.withKind('json', z.object({ ...ruleBody, displayName: field.text(30).default('') })),
    /** A stored message. */
    messageId: field.reference('message').optional(),
    /** A message as it would be received, e.g. `{"content": {"body": "..."}}`. */
    message: field
      .withKind(
        'json',
        z.object({
          content: z.record(z.string(), z.unknown()).default({}),
          metadata: z.record(z.string(), z.unknown()).default({}),
        }),
      )
      .optional(),
    /** All messages that the rule's slot has received since then; only the latest ones if there are many. */
    sinceAt: field.dateTime().optional(),
  })
  .check(exactlyOne);
export type RuleTestRequest = z.output<typeof ruleTestRequest>;

const ruleTestResultShape = {
  matched: field.flag(),
  why: field.withKind('json', decisionLog),
  /** Requests that its triggers would have sent. */
  held: field.list(
    z.object({
      actionId: field.reference('action'),
      kind: field.text(),
      triggerId: field.reference('trigger').nullable(),
      request: field.json(),
    }),
  ),
};

/**
 * For several messages, `matched` says whether any matched; the rest is from the last one that matched, or
 * else from the last one.
 */
export const ruleTestReply = z.object({
  ...ruleTestResultShape,
  /**
   * With `sinceAt`: all messages in order of arrival; each is evaluated with the events of the previous ones.
   */
  trials: field
    .list(z.object({ messageId: field.uuid(), receivedAt: field.dateTime(), ...ruleTestResultShape }))
    .optional(),
});
export type RuleTestReplyBody = z.output<typeof ruleTestReply>;
