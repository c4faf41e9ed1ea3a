import { describe, expect, it } from 'vitest';
import { operator as enOperator } from '../../../i18n/en/operator.ts';
import { why as enWhy } from '../../../i18n/en/why.ts';
import { operator as jaOperator } from '../../../i18n/ja/operator.ts';
import { why as jaWhy } from '../../../i18n/ja/why.ts';
import { createTranslator, type Translate } from '../../../i18n/translator.ts';
import type { EventExplanation } from '../../decision-log.ts';
import { explainEvent } from './explain-event.ts';

const en = createTranslator('en', { ...enWhy, ...enOperator });
const ja = createTranslator('ja', { ...jaWhy, ...jaOperator });
const createdAt = '2026-01-02T03:04:05.000Z';

const explanation: EventExplanation = {
  event: {
    eventId: 'e',
    scopeId: 's',
    scopeName: 'Web',
    severityName: 'default',
    delta: 1,
    previousSeverity: 0,
    severity: 1,
    statusBefore: 'normal',
    statusAfter: 'warning',
    ruleId: null,
    triggers: [],
  },
  createdAt,
  source: 'api',
  cause: null,
  message: null,
  rule: null,
  acknowledgements: [],
  deliveries: [],
};
const person = { kind: 'person', userId: 'u', name: 'Hana' } as const;
const token = { kind: 'api-token', userId: 'u', name: 'Hana', apiTokenId: 't' } as const;

const firstLine = (overrides: Partial<EventExplanation>, t: Translate) =>
  explainEvent({ ...explanation, ...overrides }, t)[0]!;

describe('the cause of an event', () => {
  const user = { resource: 'user', id: 'u' };
  it.each<[Partial<EventExplanation>, string, string, object | undefined]>([
    [{ cause: person }, 'User "Hana" raised the event', 'ユーザー「Hana」がイベントを発生させました', user],
    [
      { cause: token },
      'An API token of user "Hana" raised the event',
      'ユーザー「Hana」のAPIトークンがイベントを発生させました',
      user,
    ],
    [
      { source: 'reset', cause: person },
      'User "Hana" reset the severity',
      'ユーザー「Hana」が深刻度をリセットしました',
      user,
    ],
    [
      { source: 'reset', cause: token },
      'An API token of user "Hana" reset the severity',
      'ユーザー「Hana」のAPIトークンが深刻度をリセットしました',
      user,
    ],
    [
      { source: 'recovery', cause: { kind: 'recovery', recoveryTime: 300 } },
      'The scope recovered automatically: nothing reported a problem for its recovery time of 300 seconds',
      '自動回復時間の300秒間、異常の報告がなかったため、スコープが自動回復しました',
      { resource: 'scope', id: 's' },
    ],
    [
      {
        source: 'runbook',
        cause: { kind: 'runbook', runbookRecordId: 'r', runbookName: 'Clean', stepName: 'Raise' },
      },
      'Step "Raise" of runbook "Clean" raised the event',
      'ランブック「Clean」のステップ「Raise」がイベントを発生させました',
      { resource: 'runbook-record', id: 'r' },
    ],
    [
      { source: 'rule', event: { ...explanation.event, ruleId: 'r' } },
      'A rule raised the event',
      'ルールがイベントを発生させました',
      { resource: 'rule', id: 'r' },
    ],
    [{ source: 'rule' }, 'A rule raised the event', 'ルールがイベントを発生させました', undefined],
  ])('%j', (overrides, english, japanese, link) => {
    expect(firstLine(overrides, en)).toEqual({
      depth: 0,
      tone: 'neutral',
      text: english,
      at: createdAt,
      link,
    });
    expect(firstLine(overrides, ja).text).toBe(japanese);
  });
  it.each(['api', 'reset', 'recovery', 'runbook'] as const)('of an older event: %s', (source) => {
    const line = firstLine({ source }, en);
    const text = enWhy[`why.line.cause.unrecorded.${source}`];
    expect(line).toEqual({ depth: 0, tone: 'neutral', text, at: createdAt });
  });
});

describe('what an event caused', () => {
  const fired: EventExplanation['event']['triggers'][number] = {
    triggerId: 't',
    displayName: 'Call',
    outcome: 'fired',
    conditions: [],
    notes: [],
    actionId: 'a',
    actionRecordId: 'ar',
  };
  const event = { ...explanation.event, triggers: [fired] };
  const texts = (overrides: Partial<EventExplanation>) =>
    explainEvent({ ...explanation, event, ...overrides }, en).map(({ depth, text }) => [depth, text]);

  it('names the scope, the message, the rule and the trigger', () => {
    const lines = texts({
      source: 'rule',
      message: { messageId: 'm', receivedAt: createdAt, receiveSlotId: 'rs', receiveSlotName: 'Mail' },
      rule: { ruleId: 'r', displayName: 'Critical', outcome: 'matched', steps: [], notes: [] },
    });
    expect(lines).toEqual([
      [0, 'A rule raised the event'],
      [1, 'The message arrived at receive slot "Mail"'],
      [1, 'Rule "Critical" matched'],
      [1, 'Event on scope "Web": severity "default" +1, from 0 to 1; status changed from normal to warning'],
      [2, 'Trigger "Call" fired'],
      [3, 'It has no conditions, so every event fires it'],
      [3, 'The action record was deleted at the end of its retention period'],
    ]);
  });
  it('says nothing about deliveries that the caller may not read', () => {
    const gone = 'The action record was deleted at the end of its retention period';
    expect(texts({ deliveries: [] }).flat()).toContain(gone);
    expect(texts({ deliveries: null }).flat()).not.toContain(gone);
  });
});

const acknowledgement = {
  name: 'Ann',
  userId: null,
  note: '',
  contactId: null,
  resultId: 'r',
  keyInput: '1',
  acknowledgedAt: '2026-01-02T03:05:00.000Z',
};

it('says who acknowledged the event on the phone, and links the calls', () => {
  const last = (t: Translate) =>
    explainEvent({ ...explanation, acknowledgements: [acknowledgement] }, t).at(-1);
  expect(last(en)).toEqual({
    depth: 1,
    tone: 'success',
    text: 'Ann acknowledged the event with key 1 on the phone',
    at: '2026-01-02T03:05:00.000Z',
    link: { resource: 'result', id: 'r' },
  });
  expect(last(ja)?.text).toBe('Annが電話のキー1でイベントを確認済みにしました');
});

it.each([
  ['', 'Ann acknowledged the event', 'Annがイベントを確認済みにしました'],
  ['on it', 'Ann acknowledged the event: on it', 'Annがイベントを確認済みにしました: on it'],
])('says which user acknowledged the event, with the note %o', (note, english, japanese) => {
  const ofUser = { ...acknowledgement, userId: 'u', note, resultId: null, keyInput: null };
  const last = (t: Translate) => explainEvent({ ...explanation, acknowledgements: [ofUser] }, t).at(-1);
  expect(last(en)).toMatchObject({ text: english, link: { resource: 'user', id: 'u' } });
  expect(last(ja)?.text).toBe(japanese);
});
