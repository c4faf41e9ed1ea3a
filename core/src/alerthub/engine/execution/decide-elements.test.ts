import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ElementDecision } from '../../decision-log.ts';
import type { ReceivedMessage } from '../data/flow-data.ts';
import { decideBatch } from './decide-batch.ts';
import { batchInput, message, rule, scope, trigger, webhookAction } from './test-fixtures.ts';

const firing = {
  operatorId: 'text-compare',
  params: { source: 'element.status', comparison: 'equals', value: 'firing' },
};
const elementRule = rule('r', {
  forEach: '$.alerts[*]',
  flow: { steps: [firing] },
  eventParams: [{ scopeId: 'one', severityName: { path: '$.element.labels.alertname' }, delta: 2 }],
});
const alert = (alertname: unknown, status = 'firing') => ({ status, labels: { alertname } });
const decide = (
  messages: ReceivedMessage[],
  rows: Parameters<typeof batchInput>[0] = { rules: [elementRule] },
) => decideBatch({ ...batchInput(rows), messages });
const outcomes = (elements: readonly ElementDecision[] | undefined) =>
  elements?.map(({ outcome }) => outcome);

describe('a rule for each element', () => {
  it('decides every element, in order, and records it', () => {
    const alerts = [alert('Disk'), alert('Cpu', 'resolved'), alert('Memory'), alert('Disk'), alert(null)];
    const { messages, events } = decide([message('m', { alerts })]);
    const decided = messages[0]!.rules[0]!;
    expect(decided).toMatchObject({ outcome: 'matched', steps: [], notes: [] });
    expect(outcomes(decided.elements)).toEqual(['matched', 'unmatched', 'matched', 'matched', 'matched']);
    expect(decided.elements![1]).toMatchObject({
      index: 1,
      text: '{"status":"resolved","labels":{"alertname":"Cpu"}}',
      step: { number: 1, outcome: 'stopped', seen: 'resolved' },
      eventIds: [],
    });
    expect(decided.elements![4]!.notes.map(({ word }) => word)).toEqual(['why.event.noName']);
    expect(events.map(({ severityName, severity }) => [severityName, severity])).toEqual([
      ['Disk', 2],
      ['Memory', 2],
      ['Disk', 4],
    ]);
    expect(decided.elements!.flatMap(({ eventIds }) => eventIds)).toEqual(
      events.map(({ eventId }) => eventId),
    );
    expect(messages[0]).toMatchObject({ matched: 1, total: 1 });
  });

  it('offers the element to actions, at once and after a delay', () => {
    const delayed = {
      conditionId: 'severity-after',
      params: { seconds: 60, name: 'Disk', comparison: 'ge', number: 1 },
    };
    const { firings, waiting } = decide([message('m', { alerts: [alert('Cpu'), alert('Disk')] })], {
      rules: [elementRule],
      triggers: [trigger('1'), trigger('2', { conditions: [delayed] })],
      actions: [webhookAction('{{elementIndex}} {{element.labels.alertname}} {{$.element.status}}')],
    });
    expect(firings.map(({ request }) => (request as { body: string }).body)).toEqual([
      '0 Cpu firing',
      '1 Disk firing',
    ]);
    expect(waiting.map(({ values }) => values)).toMatchObject([
      { element: alert('Cpu'), elementIndex: 0 },
      { element: alert('Disk'), elementIndex: 1 },
    ]);
  });

  it.each<[string, unknown, string, string[]]>([
    ['a text that is not JSON', 'disk full', 'unmatched', ['why.elements.noData']],
    ['an empty list', { alerts: [] }, 'unmatched', ['why.elements.none']],
    ['no list', { other: 1 }, 'unmatched', ['why.elements.none']],
    ['only resolved ones', { alerts: [alert('Cpu', 'resolved')] }, 'unmatched', []],
  ])('does not match %s', (_name, body, outcome, notes) => {
    const decided = decide([message('m', body)]).messages[0]!.rules[0]!;
    expect([decided.outcome, decided.notes.map(({ word }) => word)]).toEqual([outcome, notes]);
  });

  it('fails visibly beyond the maximum, after the first ones', () => {
    const alerts = Array.from({ length: 1001 }, (_, index) => alert(`a${index % 5}`));
    const { messages, events } = decide([message('m', { alerts })]);
    const decided = messages[0]!.rules[0]!;
    expect(decided.outcome).toBe('failed');
    expect(decided.notes).toEqual([
      { word: 'why.elements.tooMany', params: { path: '$.alerts[*]', most: 1000 } },
    ]);
    expect(decided.elements).toHaveLength(1000);
    expect(events).toHaveLength(1000);
  });

  it('fails with the reason when the elements take too much work', () => {
    const regex = {
      operatorId: 'regex-match',
      params: { source: 'message.content.body', pattern: 'a.*b.*c' },
    };
    const slow = { ...elementRule, flow: { steps: [regex] } };
    const body = { alerts: Array.from({ length: 1000 }, () => alert('x')), text: 'ab'.repeat(50_000) };
    const decided = decide([message('m', body)], { rules: [slow, rule('s')] }).messages[0]!;
    const last = decided.rules[0]!.elements!.at(-1)!;
    expect([last.outcome, last.step?.reason.word]).toEqual(['failed', 'why.elements.tooMuchWork']);
    expect(decided.rules[0]!.outcome).toBe('failed');
    expect(decided.rules[1]!.outcome).toBe('matched');
  });

  it('leaves messages for the next batch when the records get too long', () => {
    const alerts = Array.from({ length: 100 }, () => alert('x', 'resolved'));
    const messages = Array.from({ length: 10 }, (_, index) => message(`m${index}`, { alerts }));
    const input = batchInput({ rules: [elementRule] }, { maxWeight: 100_000 });
    const decided = decideBatch({ ...input, messages }).messages.length;
    expect(decided).toBeGreaterThan(0);
    expect(decided).toBeLessThan(10);
  });

  it.each<[string, Partial<typeof elementRule>, string]>([
    ['a query that is none', { forEach: 'alerts' }, 'forEach'],
    [
      'a step that overwrites the element',
      { flow: { steps: [{ operatorId: 'extract', params: { source: 'message', destination: 'element' } }] } },
      'flow.steps.0.params.destination',
    ],
  ])('refuses %s', (_name, part, path) => {
    const decided = decide([message('m', {})], { rules: [{ ...elementRule, ...part }] }).messages[0]!
      .rules[0]!;
    expect(decided.notes[0]).toMatchObject({ word: 'why.rule.broken', params: { path } });
  });
});

describe('any list', () => {
  const division = (value: unknown) => ({ ...alert('Disk'), value });
  const poison = {
    operatorId: 'arithmetic',
    params: {
      source: 'message.content.data.one',
      operation: 'divide',
      valuePath: 'element.value',
      destination: 'x',
    },
  };
  const element = fc.oneof(
    fc.record({
      status: fc.constantFrom('firing', 'resolved'),
      labels: fc.record({ alertname: fc.constantFrom('a', 'b', ' ') }),
      value: fc.constantFrom(0, 1, 2, 'x'),
    }),
    fc.constantFrom<unknown>(null, 5, 'x', [], {}),
  );
  const source = {
    ...elementRule,
    flow: { steps: [firing, poison] },
    conditionalEventParams: [
      {
        attributes: [{ name: 'name', op: 'eq' as const, value: { path: 'element.labels.alertname' } }],
        severityName: { literal: 'default' },
        delta: -1,
      },
    ],
  };
  const rows = { rules: [source], scopes: [scope('one'), scope('two', { name: 'a' })] };

  it('is decided like its elements alone, one after the other', () => {
    let matched = 0;
    let failed = 0;
    fc.assert(
      fc.property(fc.array(element, { maxLength: 8 }), (alerts) => {
        const whole = decide([message('m', { one: 1, alerts })], rows);
        const split = decide(
          alerts.map((one, index) => message(`m${index}`, { one: 1, alerts: [one] })),
          rows,
        );
        const changes = (result: typeof whole) =>
          result.events.map(({ scopeId, severityName, delta, previousSeverity, severity, status }) => [
            ...[scopeId, severityName, delta, previousSeverity, severity, status],
          ]);
        expect(changes(whole)).toEqual(changes(split));
        expect(whole.severities).toEqual(split.severities);
        const record = ({ outcome, text, step, notes }: ElementDecision) => ({ outcome, text, step, notes });
        const decided = whole.messages[0]!.rules[0]!.elements!;
        expect(decided.map(record)).toEqual(
          split.messages.map(({ rules }) => record(rules[0]!.elements![0]!)),
        );
        matched += decided.filter(({ outcome }) => outcome === 'matched').length;
        failed += decided.filter(({ outcome }) => outcome === 'failed').length;
      }),
      { numRuns: 300 },
    );
    // Without both, the comparison would be meaningless.
    expect(matched).toBeGreaterThan(50);
    expect(failed).toBeGreaterThan(20);
  });

  it('loses nothing to an element that fails', () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 6 }), fc.nat(), (alerts, at) => {
        const index = at % (alerts.length + 1);
        const without = decide([message('m', { one: 1, alerts })], rows);
        const withPoison = decide(
          [message('m', { one: 1, alerts: alerts.toSpliced(index, 0, division(0)) })],
          rows,
        );
        const decided = withPoison.messages[0]!.rules[0]!.elements!;
        expect(decided[index]).toMatchObject({
          outcome: 'failed',
          step: { number: 2, reason: { word: 'why.arithmetic.byZero' } },
        });
        expect(outcomes(decided.toSpliced(index, 1))).toEqual(
          outcomes(without.messages[0]!.rules[0]!.elements),
        );
        expect(withPoison.severities).toEqual(without.severities);
      }),
    );
  });
});
