import { expect, test } from 'vitest';
import { en } from '../i18n/en/all.ts';
import { ja } from '../i18n/ja/all.ts';
import { createTranslator } from '../i18n/translator.ts';
import type { CallEvent } from './call-event.ts';
import { formatElapsed, scriptLines } from './call-script.ts';

const startedAt = '2026-01-01T00:00:00.000Z';
const event = (seconds: number, kind: CallEvent['kind'], values: Partial<CallEvent> = {}): CallEvent => ({
  at: new Date(Date.parse(startedAt) + seconds * 1000).toISOString(),
  kind,
  text: null,
  key: null,
  source: null,
  detail: null,
  ...values,
});

const script = [
  event(0, 'dialed'),
  event(2, 'ringing', { detail: '180 Ringing' }),
  event(6.4, 'answered'),
  event(6.5, 'reading', { text: 'db-1 is down' }),
  event(9, 'reading', { text: 'db-1 is down' }),
  event(10, 'key', { key: '1', source: 'tone' }),
  event(10, 'readingStopped'),
  event(11, 'key', { key: '2' }),
  event(12, 'transferring', { text: 'Ann' }),
  event(13, 'transferred', { text: 'Ann' }),
  event(75, 'ended', { detail: '200 OK' }),
];

test('a script tells when what happened, in both languages', () => {
  const call = { startedAt, reason: null, script };
  expect(
    scriptLines(call, createTranslator('en', en)).map(({ elapsed, text, detail }) => [elapsed, text, detail]),
  ).toEqual([
    ['0:00', 'Dialed', null],
    ['0:02', 'Ringing', '180 Ringing'],
    ['0:06', 'Answered', null],
    ['0:06', 'Said "db-1 is down"', null],
    ['0:09', 'Said again "db-1 is down"', null],
    ['0:10', 'Key 1 pressed (Tone)', null],
    ['0:10', 'Reading stopped by a key', null],
    ['0:11', 'Key 2 pressed', null],
    ['0:12', 'Connecting to Ann', null],
    ['0:13', 'Connected to Ann', null],
    ['1:15', 'Call ended', '200 OK'],
  ]);
  expect(scriptLines(call, createTranslator('ja', ja)).map(({ text }) => text)).toEqual([
    '発信',
    '呼び出し中',
    '応答',
    '「db-1 is down」と読み上げ',
    '「db-1 is down」と再び読み上げ',
    'キー1の入力（トーン）',
    'キー入力による読み上げの停止',
    'キー2の入力',
    'Annに接続中',
    'Annに接続',
    '通話の終了',
  ]);
});

test('the end of a call gives the reason', () => {
  const call = { startedAt, reason: 'busy' as const, script: [event(2, 'ended')] };
  expect(scriptLines(call, createTranslator('en', en))[0]?.text).toBe('Call ended: Busy');
});

test('a clock that went backwards gives no negative time', () => {
  expect([-5, 59.9, 60, 3599, 3600, 36_061].map(formatElapsed)).toEqual([
    '0:00',
    '0:59',
    '1:00',
    '59:59',
    '1:00:00',
    '10:01:01',
  ]);
});
