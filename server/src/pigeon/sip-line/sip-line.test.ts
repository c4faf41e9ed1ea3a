import { unspeakableText } from '@yagura/core/speech/spoken-text';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { CallReport } from '../call-report.ts';
import type { CallOrder } from '../line.ts';
import { VoiceFailed } from '../voice/speech-renderer.ts';
import { SipLine } from './sip-line.ts';
import { parseSipSettings } from './sip-settings.ts';
import type { WorkerMessage, WorkerRequest } from './worker-messages.ts';

const order: CallOrder = {
  callId: 'call',
  resultId: 'result',
  spaceId: 'space',
  phoneNumber: '0312345678',
  language: 'en',
  message: 'Alert',
  reactions: { 1: { behavior: 'terminate', message: 'Thanks' }, 2: { behavior: 'continue', message: '' } },
  noReplyMessage: 'Bye',
  transferTo: null,
};

/** A worker that notes its requests. */
class FakeThread {
  readonly requests: WorkerRequest[] = [];
  onMessage: (message: WorkerMessage) => void = () => undefined;
  onLost: () => void = () => undefined;
  start() {}
  async close() {}
  async trunks() {
    return [];
  }
  post(request: WorkerRequest) {
    this.requests.push(request);
  }
}

function createLine(options: { render?: (text: string) => Promise<Int16Array>; exhausted?: string[] } = {}) {
  const thread = new FakeThread();
  const clock = new ManualClock();
  const statements: unknown[][] = [];
  const database: Queryable = {
    query: async (statement, values = []) => {
      const isReservation = String(statement).startsWith('insert');
      statements.push([String(statement).split(' ')[0], ...values]);
      const names = isReservation ? (JSON.parse(String(values[0])) as { name: string }[]) : [];
      const rows = names
        .filter(({ name }) => !options.exhausted?.includes(name))
        .map(({ name }) => ({ trunk: name }));
      return { rows: rows as never, rowCount: rows.length };
    },
  };
  const line = new SipLine({
    settings: parseSipSettings(
      {
        trunks: [
          { name: 'a', host: '127.0.0.1', callerId: '0501', numbers: { denied: ['^0990'] } },
          {
            name: 'b',
            host: '127.0.0.1',
            callerId: '0501',
            numbers: { rewrite: [{ match: '^0', replace: '+81' }], denied: ['990'] },
          },
        ],
      },
      () => '',
    ),
    clock,
    log: () => undefined,
    database,
    speech: {
      languages: () => new Set(['en']),
      recording: async (_space, id) => (id === 'recorded' ? new Int16Array(99) : null),
      render: (_space, text) => options.render?.(text) ?? Promise.resolve(new Int16Array(text.length)),
    },
    createThread: () => thread,
  });
  const reports: CallReport[] = [];
  const dial = async (change: Partial<CallOrder> = {}) => {
    line.dial({ ...order, ...change }, (report) => reports.push(report));
    // Everything here is resolved without a timer.
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  };
  const posted = () => thread.requests.find((request) => request.kind === 'dial')?.call;
  return { line, thread, clock, reports, statements, dial, posted };
}

describe('the sip line', () => {
  test('says while it waits for its voice that it works on the call, and a last time before it is placed', async () => {
    let speak = () => {};
    const spoken = new Promise<Int16Array>((resolve) => {
      speak = () => resolve(new Int16Array(1));
    });
    const { clock, dial, posted, reports } = createLine({ render: () => spoken });
    await dial();
    for (let second = 0; second < 65; second++) clock.advance(1000);
    expect(reports).toEqual(Array.from({ length: 6 }, () => ({ kind: 'accepted' })));
    expect(posted()).toBeUndefined();
    speak();
    await new Promise((resolve) => setImmediate(resolve));
    expect(posted()).toBeDefined();
    expect(reports).toHaveLength(7);
    clock.advance(60_000);
    expect(reports).toHaveLength(7);
  });

  test('gives the worker the numbers of the trunks and everything that is said', async () => {
    const { thread, dial, posted, reports } = createLine();
    await dial();
    expect(thread.requests.map(({ kind }) => kind)).toEqual(['keys', 'dial']);
    expect(posted()).toMatchObject({
      callId: 'call',
      numbers: [
        { trunk: 'a', number: '0312345678' },
        { trunk: 'b', number: '+81312345678' },
      ],
      prompts: {
        message: { text: 'Alert', samples: { length: 5 } },
        // A quarter of a second of silence follows what may be the last text.
        reactions: { 1: { text: 'Thanks', samples: { length: 2006 } }, 2: null },
        noReply: { text: 'Bye', samples: { length: 2003 } },
      },
      transfer: null,
    });
    await dial({ callId: 'second', transferTo: '0800', transferName: 'Boss', recordingId: 'recorded' });
    expect(thread.requests.map(({ kind }) => kind)).toEqual(['keys', 'dial', 'dial']);
    expect(thread.requests[2]).toMatchObject({
      call: {
        prompts: { message: { text: 'Alert', samples: { length: 99 } } },
        transfer: {
          name: 'Boss',
          numbers: [
            { trunk: 'a', number: '0800' },
            { trunk: 'b', number: '+81800' },
          ],
        },
      },
    });
    expect(reports).toEqual([]);
  });

  test('says that a text cannot be read aloud where the voice fails to speak it', async () => {
    const { dial, posted, reports } = createLine({
      render: (text) =>
        ['Alert', 'Thanks'].includes(text)
          ? Promise.reject(new VoiceFailed('the voice returned silence'))
          : Promise.resolve(new Int16Array(text.length)),
    });
    await dial();
    const instead = { text: unspeakableText.en, samples: { length: unspeakableText.en.length } };
    const { message, reactions, noReply } = posted()!.prompts;
    expect(message).toMatchObject(instead);
    expect(reactions['1']!.text).toBe(instead.text);
    expect(noReply.text).toBe('Bye');
    expect(reports).toEqual([]);
  });

  test('refuses a number that no trunk may call', async () => {
    const { dial, reports, posted, statements } = createLine();
    await dial({ phoneNumber: '0990123' });
    expect(reports).toEqual([{ kind: 'ended', reason: 'notAllowed' }]);
    expect([posted(), statements]).toEqual([undefined, []]);
  });

  test('leaves out a trunk at its daily limit, and fails when all are', async () => {
    const one = createLine({ exhausted: ['a'] });
    await one.dial();
    expect(one.posted()!.numbers).toEqual([{ trunk: 'b', number: '+81312345678' }]);
    const none = createLine({ exhausted: ['a', 'b'] });
    await none.dial();
    expect(none.reports).toMatchObject([{ kind: 'ended', reason: 'rateLimited' }]);
  });

  test('takes back the reservations of trunks that were not used', async () => {
    const { thread, dial, statements, reports } = createLine();
    await dial();
    thread.onMessage({ kind: 'report', callId: 'call', report: { kind: 'ended', detail: 'BYE' } });
    thread.onMessage({ kind: 'finished', callId: 'call', attempted: ['a'], transferAttempted: [] });
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(statements.at(-1)).toEqual(['update', ['b'], '2026-01-01']);
    expect(reports).toEqual([{ kind: 'ended', detail: 'BYE' }]);
  });

  test('ends a call whose voice fails', async () => {
    const { dial, reports, posted } = createLine({ render: () => Promise.reject(new Error('no voice')) });
    await dial();
    expect(reports).toMatchObject([{ kind: 'ended', reason: 'lineFailed' }]);
    expect(posted()).toBeUndefined();
  });

  test('does not place a call that was hung up while its voice was rendered', async () => {
    let finish: (() => void)[] = [];
    const { line, dial, reports, posted, statements } = createLine({
      render: () => new Promise((resolve) => finish.push(() => resolve(new Int16Array(1)))),
    });
    await dial();
    line.hangUp(order);
    expect(reports).toMatchObject([{ kind: 'ended', detail: { word: 'pigeon.detail.canceled' } }]);
    for (const work of finish.splice(0)) work();
    finish = [];
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(posted()).toBeUndefined();
    expect(statements.at(-1)!.slice(0, 2)).toEqual(['update', ['a', 'b']]);
  });

  test('ends the calls of a worker that failed, and gives the next one the keys again', async () => {
    const { thread, dial, reports } = createLine();
    await dial();
    thread.onLost();
    expect(reports).toMatchObject([{ kind: 'ended', reason: 'lineFailed' }]);
    await dial({ callId: 'next' });
    expect(thread.requests.map(({ kind }) => kind)).toEqual(['keys', 'dial', 'keys', 'dial']);
  });

  test('passes a hang-up to the worker', async () => {
    const { line, thread, dial } = createLine();
    await dial();
    line.hangUp({ callId: 'call' });
    line.hangUp({ callId: 'unknown' });
    expect(thread.requests.slice(2)).toEqual([{ kind: 'hangUp', callId: 'call' }]);
  });
});
