import { describe, expect, it } from 'vitest';
import type { ConfigRows } from '../evaluation/compile-config.ts';
import type { History, PastEvent } from '../state/event-history.ts';
import { decideBatch } from './decide-batch.ts';
import {
  batchInput,
  emptyHistory,
  message,
  now,
  rule,
  scope,
  trigger,
  webhookAction,
} from './test-fixtures.ts';

describe('decideBatch', () => {
  it('goes from message to firing', () => {
    const body =
      '{"e":"{{event.severityName}} {{event.previousSeverity}}>{{event.severity}} {{event.status}}","m":"{{message.content.data.host}}","s":"{{scope.displayName}} {{scope.status}} {{scope.attributes.env}}","w":"{{made}}","t":"{{trigger.displayName}}","o":"{{space.displayName}}","l":"{{#scopeSeverities}}{{name}}={{value}}/{{status}};{{/scopeSeverities}}","own":"{{own}}","none":"{{gone}}"}';
    const result = decideBatch({
      ...batchInput(
        {
          scopes: [scope('one', { env: 'prod' })],
          rules: [
            rule('r', {
              flow: {
                steps: [
                  {
                    operatorId: 'change-case',
                    params: { source: 'message.content.data.host', to: 'upper', destination: 'made' },
                  },
                ],
              },
              eventParams: [
                { scopeId: 'one', severityName: { path: 'message.content.data.check' }, delta: 3 },
              ],
            }),
          ],
          triggers: [
            trigger('t', {
              flow: {
                steps: [
                  {
                    operatorId: 'concatenate',
                    params: { template: '{{made}}-{{event.severity}}', destination: 'own' },
                  },
                ],
              },
            }),
          ],
          actions: [webhookAction(body)],
        },
        {
          state: new Map([
            [
              'one',
              new Map([
                ['disk', 8],
                ['cpu', 1],
              ]),
            ],
          ]),
        },
      ),
      messages: [message('m1', { host: 'web"1', check: 'disk' })],
    });
    expect(result.messages).toMatchObject([
      { messageId: 'm1', matched: 1, total: 1, notes: [], rules: [{ ruleId: 'r', outcome: 'matched' }] },
    ]);
    expect(result.events).toEqual([
      {
        eventId: 'id1',
        scopeId: 'one',
        severityName: 'disk',
        delta: 3,
        previousSeverity: 8,
        severity: 11,
        statusBefore: 'warning',
        status: 'incident',
        source: 'rule',
        ruleId: 'r',
        messageId: 'm1',
        createdAt: now,
        triggers: [
          expect.objectContaining({
            triggerId: 't',
            outcome: 'fired',
            actionId: 'hook',
            actionRecordId: 'id2',
          }),
        ],
      },
    ]);
    expect(result.severities).toEqual([{ scopeId: 'one', name: 'disk', value: 11, status: 'incident' }]);
    expect(result.scopes).toEqual([{ scopeId: 'one', status: 'incident', severity: 11, lastEventAt: now }]);
    const [firing] = result.firings;
    expect(firing).toMatchObject({
      actionRecordId: 'id2',
      deliveryId: 'id3',
      eventId: 'id1',
      messageId: 'm1',
      triggerId: 't',
      scopeId: 'one',
      kind: 'webhook',
      missing: ['gone'],
      problem: null,
    });
    expect(JSON.parse((firing!.request as { body: string }).body)).toEqual({
      e: 'disk 8>11 incident',
      m: 'web"1',
      s: 'Scope one incident prod',
      w: 'WEB"1',
      t: 'Trigger t',
      o: 'Ops',
      l: 'disk=11/incident;cpu=1/warning;',
      own: 'WEB"1-11',
      none: '',
    });
    expect(result.events[0]!.triggers[0]!.notes).toEqual([
      { word: 'why.action.missing', params: { names: 'gone' } },
    ]);
  });

  it('runs every rule of the slot by name, and each has data of its own', () => {
    const step = (value: string) => ({
      steps: [{ operatorId: 'concatenate', params: { template: value, destination: 'made' } }],
    });
    const result = decideBatch({
      ...batchInput({
        rules: [
          rule('b', { flow: step('from b') }),
          rule('a', { flow: { steps: [{ operatorId: 'not-exists', params: { source: 'made' } }] } }),
          rule('c', { flow: { steps: [{ operatorId: 'not-exists', params: { source: 'made' } }] } }),
          rule('x', { receiveSlotId: 'other' }),
          rule('d', { disabled: true }),
        ],
      }),
      messages: [message('m', '')],
    });
    expect(result.messages[0]).toMatchObject({ matched: 3, total: 3 });
    expect(result.messages[0]!.rules.map(({ ruleId, outcome }) => [ruleId, outcome])).toEqual([
      ['a', 'matched'],
      ['b', 'matched'],
      ['c', 'matched'],
      ['d', 'disabled'],
    ]);
    expect(result.events.map((event) => event.severity)).toEqual([1, 2, 3]);
  });

  it.each<[string, Partial<ConfigRows>, string]>([
    ['no rule', {}, 'why.message.noRule'],
    ['only disabled rules', { rules: [rule('r', { disabled: true })] }, 'why.message.allDisabled'],
  ])('says when there is %s', (_name, rows, word) => {
    const result = decideBatch({ ...batchInput(rows), messages: [message('m', '')] });
    expect(result.messages[0]).toMatchObject({ matched: 0, total: 0, notes: [{ word }] });
    expect(result).toMatchObject({ events: [], firings: [], severities: [], scopes: [] });
  });

  it('reads no body that no rule needs', () => {
    const content = {
      get body(): string {
        throw new Error('the body was read');
      },
    };
    const { messages } = decideBatch({ ...batchInput({}), messages: [{ ...message('m', ''), content }] });
    expect(messages[0]).toMatchObject({ messageId: 'm', total: 0 });
  });

  it('compares numbers of a message with all their digits', () => {
    const compare = (value: unknown) => ({
      operatorId: 'number-compare',
      params: { source: 'message.content.data.id', comparison: 'eq', value },
    });
    const values = [Number('12345678901234567890'), '12345678901234567890', '12345678901234567891'];
    const rules = values.map((value, index) => rule(`r${index}`, { flow: { steps: [compare(value)] } }));
    const { messages } = decideBatch({
      ...batchInput({ rules }),
      messages: [message('m', '{"id":12345678901234567891}')],
    });
    expect(messages[0]!.rules.map(({ outcome }) => outcome)).toEqual(['unmatched', 'unmatched', 'matched']);
  });

  it('misses no rule where the slot starts a runbook', () => {
    const rows = {
      runbooks: [{ runbookId: 'r', displayName: 'Note', startStepId: null, steps: [] }],
      slotRunbooks: [{ receiveSlotId: 'slot', runbookId: 'r' }],
    };
    const { messages } = decideBatch({ ...batchInput(rows), messages: [message('m', '')] });
    expect(messages[0]!.notes).toEqual([{ word: 'why.message.runbook', params: { runbook: 'Note' } }]);
  });

  it('lets broken rules, triggers and actions fail alone', () => {
    const result = decideBatch({
      ...batchInput({
        rules: [
          rule('a', {
            flow: { steps: [{ operatorId: 'regex-match', params: { source: 'x', pattern: '(' } }] },
          }),
          rule('b', { eventParams: [{ scopeId: 'gone', severityName: { literal: 'x' }, delta: 1 }] }),
          rule('c'),
        ],
        triggers: [
          trigger('1', { conditions: [{ conditionId: 'nope', params: {} }] }),
          trigger('2', { target: { kind: 'action', id: 'gone' } }),
          trigger('3', { target: { kind: 'action', id: 'telegraph' } }),
          trigger('4', { target: { kind: 'action', id: 'bad' } }),
          trigger('5'),
        ],
        actions: [
          webhookAction('ok'),
          { ...webhookAction(''), actionId: 'telegraph', kind: 'telegraph' },
          { ...webhookAction('{{#a}}'), actionId: 'bad' },
        ],
      }),
      messages: [message('m', 'x'.repeat(300_000))],
    });
    expect(result.messages[0]!.rules.map(({ outcome, notes }) => [outcome, notes[0]?.word])).toEqual([
      ['failed', 'why.rule.broken'],
      ['matched', 'why.event.noScope'],
      ['matched', undefined],
    ]);
    expect(
      result.events[0]!.triggers.map(({ outcome, notes, actionRecordId }) => [
        outcome,
        notes[0]?.word,
        actionRecordId === null,
      ]),
    ).toEqual([
      ['failed', 'why.trigger.broken', true],
      ['failed', 'why.action.gone', true],
      ['failed', 'why.action.kind', true],
      ['fired', 'delivery.badTemplate', false],
      ['fired', undefined, false],
    ]);
    expect(result.firings.map(({ request, problem }) => [request === null, problem?.word])).toEqual([
      [true, 'delivery.badTemplate'],
      [false, undefined],
    ]);
  });

  it('holds a trigger whose flow has a test that stops, and goes on past a transform that cannot work', () => {
    const result = decideBatch({
      ...batchInput({
        rules: [rule('r')],
        triggers: [
          trigger('1', {
            flow: {
              steps: [
                {
                  operatorId: 'number-compare',
                  params: { source: 'event.severity', comparison: 'gt', value: 5 },
                },
              ],
            },
          }),
          trigger('2', {
            flow: {
              steps: [
                { operatorId: 'extract', params: { source: 'message.content.data.x', destination: 'x' } },
              ],
            },
          }),
        ],
        actions: [webhookAction('{{x}}')],
      }),
      messages: [message('m', '')],
    });
    expect(
      result.events[0]!.triggers.map(({ outcome, notes }) => [outcome, notes.map((note) => note.word)]),
    ).toEqual([
      ['held', ['why.trigger.stepStopped']],
      ['fired', ['why.trigger.stepSkipped', 'why.action.missing']],
    ]);
  });

  // Fires on 10 or more events with delta 1 within 1800 s, unless an action ran within 1800 s.
  describe('ten events in half an hour, one action in half an hour', () => {
    const conditions = [
      {
        conditionId: 'recent-events',
        params: {
          seconds: 1800,
          value: 'delta',
          comparison: 'eq',
          number: 1,
          countComparison: 'ge',
          count: 10,
        },
      },
      { conditionId: 'recent-actions', params: { seconds: 1800, countComparison: 'eq', count: 0 } },
    ];
    const past = (seconds: number): PastEvent => ({
      at: Date.parse(now) - seconds * 1000,
      delta: 1,
      before: 0,
      latest: 1,
      severityName: 'default',
    });
    const fire = (count: number, history: History = emptyHistory): number[] => {
      const result = decideBatch({
        ...batchInput({ rules: [rule('r')], triggers: [trigger('t', { conditions })] }, { history }),
        messages: Array.from({ length: count }, (_, index) => message(String(index), '')),
      });
      return result.firings.map((firing) => Number(firing.messageId));
    };
    it.each<[string, number, History, number[]]>([
      ['nine are too few', 9, emptyHistory, []],
      ['the tenth fires, later ones are held by it', 25, emptyHistory, [9]],
      [
        'stored events count',
        3,
        { ...emptyHistory, eventsOf: () => [1, 60, 600, 1000, 1200, 1500, 1700, 1799].map(past) },
        [1],
      ],
      [
        'events that are too old do not',
        2,
        { ...emptyHistory, eventsOf: () => [1, 60, 600, 1000, 1200, 1500, 1700, 1800].map(past) },
        [],
      ],
      ['a recent action holds it', 12, { ...emptyHistory, actionsOf: () => [past(1799)] }, []],
      ['an old action does not', 12, { ...emptyHistory, actionsOf: () => [past(1800)] }, [9]],
    ])('%s', (_name, count, history, fired) => expect(fire(count, history)).toEqual(fired));
  });
});
