import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operator as enOperator } from '../../../i18n/en/operator.ts';
import { why as enWhy } from '../../../i18n/en/why.ts';
import { operator as jaOperator } from '../../../i18n/ja/operator.ts';
import { why as jaWhy } from '../../../i18n/ja/why.ts';
import { createTranslator, type Translate } from '../../../i18n/translator.ts';
import type { DecisionLog } from '../../decision-log.ts';
import { formatReason, reason } from '../errors/decision-reason.ts';
import { compileConfig } from '../evaluation/compile-config.ts';
import { relatedFilters } from '../evaluation/related-filters.ts';
import { conditions } from '../evaluation/trigger-conditions.ts';
import { decideBatch } from '../execution/decide-batch.ts';
import { branchConditions } from '../operators/branch-conditions.ts';
import { operators } from '../operators/operators.ts';
import { explainDecisions } from './explain-decisions.ts';

const en = createTranslator('en', { ...enWhy, ...enOperator });
const ja = createTranslator('ja', { ...jaWhy, ...jaOperator });
const now = '2026-01-02T03:04:05.000Z';
const createdAt = now;

/** Builds the log of one message as the server would. */
function whyOf(body: string, deliveries: DecisionLog['deliveries'] = []): DecisionLog {
  const config = compileConfig({
    space: {},
    scopes: [
      {
        scopeId: 'one',
        displayName: 'Web',
        remarks: '',
        thresholds: { warning: 1, incident: 2 },
        recoveryTime: null,
        attributes: [],
      },
    ],
    rules: [
      {
        ruleId: 'r',
        displayName: 'Critical',
        receiveSlotId: 'slot',
        disabled: false,
        createdAt,
        flow: {
          steps: [
            { operatorId: 'trim', params: { source: 'message.content.body', destination: 'line' } },
            {
              operatorId: 'text-compare',
              params: { source: 'line', comparison: 'contains', value: 'CRITICAL' },
            },
          ],
        },
        eventParams: [{ scopeId: 'one', severityName: { literal: 'default' }, delta: 1 }],
        conditionalEventParams: [],
      },
      {
        ruleId: 'off',
        displayName: 'Old',
        receiveSlotId: 'slot',
        disabled: true,
        createdAt,
        flow: { steps: [] },
        eventParams: [],
        conditionalEventParams: [],
      },
    ],
    triggers: [
      {
        triggerId: 't',
        scopeId: 'one',
        displayName: 'Notify',
        remarks: '',
        disabled: false,
        createdAt,
        conditions: [{ conditionId: 'severity-changed', params: { direction: 'up' } }],
        relatedMessageFilters: [],
        flow: { steps: [] },
        target: { kind: 'action', id: 'hook' },
      },
      {
        triggerId: 'u',
        scopeId: 'one',
        displayName: 'Page',
        remarks: '',
        disabled: false,
        createdAt,
        conditions: [{ conditionId: 'scope-status', params: { comparison: 'eq', status: 'incident' } }],
        relatedMessageFilters: [],
        flow: { steps: [] },
        target: { kind: 'action', id: 'hook' },
      },
    ],
    actions: [
      {
        actionId: 'hook',
        displayName: 'Hook',
        kind: 'webhook',
        parameters: { url: 'https://example.com/', method: 'POST', headers: {}, body: '' },
      },
    ],
  });
  const result = decideBatch({
    config,
    state: new Map(),
    history: { eventsOf: () => [], actionsOf: () => [] },
    now,
    nextId: (() => {
      let last = 0;
      return () => `id${++last}`;
    })(),
    messages: [
      {
        messageId: 'm',
        receivedAt: now,
        receiveSlotId: 'slot',
        receiveSlotKind: 'webhook',
        content: { body },
        metadata: {},
      },
    ],
  });
  return {
    messageId: 'm',
    receivedAt: now,
    receiveSlotId: 'slot',
    receiveSlotName: 'Zabbix',
    evaluatedAt: now,
    repeated: null,
    notes: result.messages[0]!.notes,
    rules: result.messages[0]!.rules,
    deliveries,
    events: result.events.map((event) => ({ ...event, scopeName: 'Web', statusAfter: event.status })),
  };
}

const delivery: DecisionLog['deliveries'][number] = {
  actionRecordId: 'id2',
  actionId: 'hook',
  actionName: 'Hook',
  kind: 'webhook',
  status: 'waiting',
  deliveryId: 'd1',
  resultId: null,
  attempts: [
    {
      startedAt: now,
      outcome: 'failed',
      reason: { word: 'delivery.refusedStatus', params: { statusCode: 503 } },
    },
  ],
  nextAttemptAt: '2026-01-02T03:05:05.000Z',
};

const text = (log: DecisionLog, t: Translate): string[] =>
  explainDecisions(log, t).map((line) => `${'  '.repeat(line.depth)}${line.text}`);

describe('explainWhy', () => {
  it('tells the whole way of a message', () => {
    expect(text(whyOf(' CRITICAL disk ', [delivery]), en)).toEqual([
      'The message arrived at receive slot "Zabbix"',
      '  Rule "Critical" matched',
      '    Step 1 "Trim whitespace" ran: line is now "CRITICAL disk"',
      '    Step 2 "Text comparison" passed: line contains "CRITICAL". Actual value: "CRITICAL disk"',
      '    Event on scope "Web": severity "default" +1, from 0 to 1; status changed from normal to warning',
      '      Trigger "Notify" fired',
      '        Condition "Severity went up or down" is met: the severity went up. Actual value: "0 → 1"',
      '        Action "Hook" is waiting for delivery (delivery d1)',
      '          Attempt 1: The receiver rejected the request with 503',
      '          The next attempt is scheduled',
      '      Trigger "Page" did not fire',
      '        Condition "Scope status" is not met. Expected: the scope status after the event is incident. Actual value: "warning"',
      '  Rule "Old" was not evaluated because it is disabled',
    ]);
  });

  it('tells where the same message arrived again', () => {
    const at = '2026-01-02T03:04:06.000Z';
    const log = { ...whyOf(' CRITICAL disk ', []), repeated: { address: 'secondary' as const, at } };
    expect(explainDecisions(log, en)[1]).toEqual({
      ...{ depth: 1, tone: 'neutral', at },
      text: 'The same message arrived again at the secondary address; it was not stored twice',
    });
  });

  it('tells why nothing happened, in Japanese too', () => {
    expect(text(whyOf('ok'), en)).toEqual([
      'The message arrived at receive slot "Zabbix"',
      '  Rule "Critical" did not match',
      '    Step 1 "Trim whitespace" ran: line is now "ok"',
      '    Step 2 "Text comparison" stopped the rule. Expected: line contains "CRITICAL". Actual value: "ok"',
      '  Rule "Old" was not evaluated because it is disabled',
    ]);
    expect(text(whyOf('ok'), ja)).toEqual([
      '受信スロット「Zabbix」でメッセージを受信しました',
      '  ルール「Critical」には一致しませんでした',
      '    ステップ1「前後の空白の削除」を実行: line に「ok」を保存しました',
      '    ステップ2「テキスト比較」で停止。条件: line が「CRITICAL」を含む（実際の値: 「ok」）',
      '  ルール「Old」は無効のため評価していません',
    ]);
  });

  it('links and colours the lines', () => {
    const lines = explainDecisions(whyOf('CRITICAL', [delivery]), en);
    expect(lines.map((line) => [line.tone, line.link?.resource ?? null])).toEqual([
      ['neutral', 'receive-slot'],
      ['success', 'rule'],
      ['success', null],
      ['success', null],
      ['warning', 'event'],
      ['success', 'trigger'],
      ['success', null],
      ['neutral', 'action-record'],
      ['danger', null],
      ['warning', null],
      ['neutral', 'trigger'],
      ['neutral', null],
      ['neutral', 'rule'],
    ]);
    expect(lines[5]!.link).toEqual({ resource: 'trigger', id: 't', scopeId: 'one' });
    expect(lines[8]!.at).toBe(now);
  });

  it('tells what is left when events or rules are no longer kept', () => {
    const whole = whyOf('CRITICAL', [delivery]);
    expect(
      text({ ...whole, rules: [], events: whole.events.map((event) => ({ ...event, triggers: [] })) }, en),
    ).toEqual([
      'The message arrived at receive slot "Zabbix"',
      '  Event on scope "Web": severity "default" +1, from 0 to 1; status changed from normal to warning',
      '    Scope "Web" had no trigger, so no action ran',
      '  Action "Hook" is waiting for delivery (delivery d1)',
      '    Attempt 1: The receiver rejected the request with 503',
      '    The next attempt is scheduled',
    ]);
    expect(
      text(
        {
          ...whole,
          rules: [],
          events: [],
          deliveries: [],
          evaluatedAt: null,
          notes: [reason('why.message.noRule')],
        },
        en,
      ),
    ).toEqual([
      'The message arrived at receive slot "Zabbix"',
      '  It has not been evaluated yet',
      '  This receive slot has no rules',
    ]);
  });

  it('warns of what is missing, not of a runbook that was started', () => {
    const notes = [reason('why.message.allDisabled'), reason('why.message.runbook', { runbook: 'Note' })];
    const lines = explainDecisions({ ...whyOf('ok'), rules: [], events: [], deliveries: [], notes }, en);
    expect(lines.map(({ tone }) => tone)).toEqual(['neutral', 'warning', 'success']);
  });

  it.each([
    [en, 'scope-status', 'Actual value: "incident"'],
    [ja, 'scope-status-after', '実際の値: 「異常」'],
  ])('names the status of a scope that a condition has read: %#', (t, conditionId, seen) => {
    const log = whyOf('CRITICAL');
    const [first] = log.events[0]!.triggers;
    const why = reason('why.condition.status', {
      ...{ when: { word: 'why.when.after' }, status: { word: 'why.status.warning' } },
    });
    const conditions = [{ conditionId, holds: false, seen: 'incident', reason: why }];
    const events = [{ ...log.events[0]!, triggers: [{ ...first!, outcome: 'held' as const, conditions }] }];
    expect(text({ ...log, rules: [], events }, t).join('\n')).toContain(seen);
  });

  it('tells which of several mute schedules took precedence, and which one delayed the action', () => {
    const log = whyOf('CRITICAL');
    const [first] = log.events[0]!.triggers;
    const mute = (displayName: string, atEnd: 'fire' | 'silent') => ({
      ...{ muteScheduleId: displayName, displayName, atEnd, until: now },
    });
    const mutes = [{ ...mute('Release', 'fire'), overrules: ['Night'] }, mute('Night', 'silent')];
    const muted = { ...first!, outcome: 'muted' as const, conditions: [], actionRecordId: null, mutes };
    const events = [{ ...log.events[0]!, triggers: [muted] }];
    const lines = explainDecisions({ ...log, rules: [], events, deliveries: [] }, en);
    expect(lines.slice(3).map((line) => line.text)).toEqual([
      'Mute schedule "Release" suppressed the action; if the scope is still unhealthy when the schedule ends, the last suppressed event fires',
      'Mute schedule "Night" is active as well; "Release" takes precedence because it fires when it ends',
      'Mute schedule "Night" was active at that time as well; the suppressed event waits until it ends',
    ]);
  });

  it('tells the elements of a rule apart, each with its step, notes and events', () => {
    const log = whyOf('CRITICAL: disk');
    const [event] = log.events;
    const step = { ...log.rules[0]!.steps[1]!, outcome: 'stopped' as const, number: 2 };
    const base = { text: '{"n":1}', notes: [], eventIds: [] };
    log.rules[0] = {
      ...log.rules[0]!,
      steps: [],
      elements: [
        { ...base, index: 0, outcome: 'unmatched', step },
        { ...base, index: 1, outcome: 'matched', eventIds: [event!.eventId] },
        { ...base, index: 2, outcome: 'failed', notes: [reason('why.elements.tooMuchWork')] },
      ],
    };
    const lines = explainDecisions(log, en).slice(1, 8);
    expect(lines.map(({ depth, tone, text }) => `${depth} ${tone} ${text}`)).toEqual([
      '1 success Rule "Critical" matched',
      '2 neutral Elements: 1 matched, 1 did not match, 1 failed',
      '2 neutral Element 1 did not match: "{"n":1}"',
      expect.stringMatching(/^3 neutral Step 2 "Text comparison" stopped the rule/),
      '2 success Element 2 matched: "{"n":1}"',
      expect.stringMatching(/^3 warning Event on scope "Web"/),
      expect.stringMatching(/^4 /),
    ]);
  });

  it('shows hostile text as it is', () => {
    const seen = '{{wanted}} $t(why.nothing) <b>&';
    expect(text(whyOf(seen), en)[3]).toBe(
      `    Step 2 "Text comparison" stopped the rule. Expected: line contains "CRITICAL". Actual value: "${seen}"`,
    );
  });
});

describe('words', () => {
  const folder = new URL('../', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const source = [...files, '../../http/exact-json.ts']
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const used = [
    ...new Set([...source.matchAll(/'((?:why|delivery)\.[A-Za-z.]+)'/g)].map((match) => match[1]!)),
  ];
  // The last ones are used by the server, which decompresses and splits bodies and reads delivery ids.
  const families = [
    /^why\.(status|value|when)\./,
    /^why\.data\.(multipart|multipartLarge|compressed|inflated|encoding)$/,
    /^why\.path\.notReceived$/,
  ];

  it('has a sentence for every word that is used', () => {
    expect(used.length).toBeGreaterThan(90);
    expect(used.filter((word) => !Object.hasOwn(enWhy, word))).toEqual([]);
  });
  it('has no sentence that nothing uses', () => {
    const unused = Object.keys(enWhy).filter(
      (word) => !used.includes(word) && !families.some((family) => family.test(word)),
    );
    expect(unused.filter((word) => !word.startsWith('delivery.'))).toEqual([]);
  });
  it('fills the same values in both languages', () => {
    const names = (sentence: string): string[] =>
      [...new Set([...sentence.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!))].sort();
    for (const [key, sentence] of Object.entries(enWhy))
      expect([key, names(jaWhy[key as keyof typeof jaWhy])]).toEqual([key, names(sentence)]);
  });
  it('names operators, conditions, their parameters and options', () => {
    const keys = [
      ...[...operators, ...branchConditions].map(({ operatorId, params }) => ({
        key: `operator.${operatorId}`,
        params,
      })),
      ...conditions.map(({ conditionId, params }) => ({ key: `condition.${conditionId}`, params })),
      ...relatedFilters.map(({ filterId, params }) => ({ key: `related.${filterId}`, params })),
    ].flatMap(({ key, params }) => {
      const properties = Object.entries(params.properties as Record<string, { enum?: string[] }>);
      const options = properties.flatMap(([, property]) =>
        (property.enum ?? []).map((option) => `operator.option.${option}`),
      );
      return [key, ...properties.map(([name]) => `${key}.${name}`), ...options];
    });
    expect(Object.keys(enOperator).sort()).toEqual([...new Set(keys)].sort());
  });
  it('says reasons inside reasons', () => {
    const inner = reason('why.param.missing');
    expect(
      formatReason(reason('why.rule.broken', { path: 'flow.steps.0.params.source', because: inner }), en),
    ).toBe('The stored rule cannot run. flow.steps.0.params.source: Enter a value');
  });
});
