import { expect, it } from 'vitest';
import { decideBatch } from './decide-batch.ts';
import { runRuleTest, withOnlyRule } from './run-rule-test.ts';
import { batchInput, message, rule, trigger, webhookAction } from './test-fixtures.ts';

const step = (value: string) => ({
  flow: {
    steps: [
      {
        operatorId: 'text-compare',
        params: { source: 'message.content.data.level', comparison: 'equals', value },
      },
    ],
  },
});

it('decides as the pipeline would, but by this rule alone and with nothing to be sent', () => {
  const stored = rule('stored');
  const tested = rule('tested', { ...step('high'), disabled: true });
  const made = () =>
    batchInput({ rules: [stored], triggers: [trigger('t')], actions: [webhookAction('{{event.severity}}')] });
  const given = message('m', { level: 'high' }, 'another slot');
  const [trial] = runRuleTest({
    ...made(),
    config: withOnlyRule(made().config, tested),
    messages: [given],
    slotName: 'Slot',
  });
  const real = decideBatch({
    ...batchInput({
      rules: [{ ...tested, disabled: false }],
      triggers: [trigger('t')],
      actions: [webhookAction('{{event.severity}}')],
    }),
    messages: [{ ...given, receiveSlotId: 'slot' }],
  });
  expect(trial!.matched).toBe(true);
  expect(trial!.why.rules).toEqual(real.messages[0]!.rules);
  expect(trial!.why.events).toMatchObject([
    {
      scopeName: 'Scope one',
      severity: 1,
      triggers: [
        {
          outcome: 'fired',
          actionRecordId: null,
          notes: [{ word: 'why.test.action', params: { action: 'Hook' } }],
        },
      ],
    },
  ]);
  expect(trial!.held).toEqual([
    { actionId: 'hook', kind: 'webhook', triggerId: 't', request: real.firings[0]!.request },
  ]);
});

it('shows where a message that does not match was stopped', () => {
  const tested = rule('tested', step('high'));
  const made = batchInput({ triggers: [trigger('t')] });
  const [trial] = runRuleTest({
    ...made,
    config: withOnlyRule(made.config, tested),
    messages: [message('m', { level: 'low' })],
    slotName: null,
  });
  expect(trial).toMatchObject({ matched: false, held: [], why: { events: [] } });
  expect(trial!.why.rules[0]!.steps).toMatchObject([{ outcome: 'stopped', seen: 'low' }]);
});

it('tells of several messages one by one, each after the events of those before', () => {
  const made = batchInput({ triggers: [trigger('t')], actions: [webhookAction('')] });
  const trials = runRuleTest({
    ...made,
    config: withOnlyRule(made.config, rule('tested', step('high'))),
    messages: ['high', 'low', 'high'].map((level, index) => message(`m${index}`, { level })),
    slotName: null,
  });
  const told = trials.map(({ matched, why, held }) => [
    why.messageId,
    matched,
    why.events.map(({ previousSeverity }) => previousSeverity),
    held.length,
  ]);
  expect(told).toEqual([
    ['m0', true, [0], 1],
    ['m1', false, [], 0],
    ['m2', true, [1], 1],
  ]);
});
