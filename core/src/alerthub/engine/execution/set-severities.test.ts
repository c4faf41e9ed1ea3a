import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overflowSeverityName } from '../../scope-status.ts';
import type { BatchResult } from './batch.ts';
import { decideBatch, decideEvents, type RequestedSeverityChange } from './decide-batch.ts';
import { batchInput, message, rule, scope } from './test-fixtures.ts';

const severityName = { literal: 'default' };
const fingerprint = { path: 'element.id' };
const isValue = (value: number) => ({
  operatorId: 'number-compare',
  params: { source: 'element.value', comparison: 'eq', value },
});
const setRule = (value: number, param: object = { fingerprint }) =>
  rule(`set${value}`, {
    forEach: '$[*]',
    flow: { steps: [isValue(value)] },
    eventParams: [{ scopeId: 'one', severityName, mode: 'set', value, ...param }],
  });

/** A space whose batches are stored and loaded again, as the server does. */
class Space {
  readonly severities = new Map<string, number>();
  readonly contributions = new Map<string, Map<string, number>>();
  readonly #rows: Parameters<typeof batchInput>[0];

  constructor(rules: ReturnType<typeof rule>[]) {
    this.#rows = { rules, scopes: [scope('one')] };
  }

  receive(...bodies: unknown[]) {
    const messages = bodies.map((body, index) => message(`m${index}`, body));
    const result = decideBatch({ ...this.#input(true), messages });
    this.#store(result);
    return result;
  }

  change(change: RequestedSeverityChange['change'], name = 'default'): BatchResult {
    const changes = [{ scopeId: 'one', severityName: name, change, source: 'reset' as const }];
    const result = decideEvents({ ...this.#input(false), changes });
    this.#store(result);
    return result;
  }

  get value(): number {
    return this.severities.get('default') ?? 0;
  }

  get open(): number {
    return [...this.contributions.values()].reduce((sum, own) => sum + own.size, 0);
  }

  #input(isLoaded: boolean) {
    const state = new Map([['one', new Map(this.severities)]]);
    const contributions = new Map([['one', structuredClone(this.contributions)]]);
    return batchInput(this.#rows, { state, ...(isLoaded ? { contributions } : {}) });
  }

  #store({ severities, evictedSeverities, contributions, clearedContributions }: BatchResult): void {
    for (const { name } of evictedSeverities) this.severities.delete(name);
    for (const { name, value } of severities) this.severities.set(name, value);
    for (const { name } of clearedContributions) this.contributions.delete(name);
    for (const { name, fingerprint: key, value } of contributions) {
      const own = this.contributions.get(name) ?? new Map<string, number>();
      this.contributions.set(name, own);
      if (value > 0) own.set(key, value);
      else own.delete(key);
    }
  }
}

const notesOf = ({ messages }: ReturnType<Space['receive']>) =>
  messages.flatMap(({ rules }) =>
    rules.flatMap(({ elements }) => elements!.flatMap(({ notes }) => notes.map(({ word }) => word))),
  );

describe('a severity that is set', () => {
  const space = () => new Space([setRule(0, {}), setRule(3, {})]);
  it('goes to the value, and only once', () => {
    const one = space();
    expect(one.receive([{ value: 3 }]).events).toMatchObject([
      { delta: 3, previousSeverity: 0, severity: 3 },
    ]);
    const repeated = one.receive([{ value: 3 }, { value: 3 }], [{ value: 3 }]);
    expect(repeated.events).toEqual([]);
    expect(notesOf(repeated)).toEqual(Array(3).fill('why.event.already'));
    expect(one.receive([{ value: 0 }]).events).toMatchObject([{ delta: -3, severity: 0 }]);
    expect(one.severities).toEqual(new Map([['default', 0]]));
  });
  it('is idempotent under any repetition', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(0, 3), fc.integer({ min: 1, max: 4 }))), (runs) => {
        const once = space();
        const often = space();
        let events = 0;
        for (const [value, times] of runs) {
          once.receive([{ value }]);
          for (let time = 0; time < times; time += 1) events += often.receive([{ value }]).events.length;
        }
        expect(often.severities).toEqual(once.severities);
        const values = runs.map(([value]) => value);
        expect(events).toBe(values.filter((value, index) => value !== (values[index - 1] ?? 0)).length);
      }),
    );
  });
});

describe('a problem that is reported again', () => {
  const recovering = { scopes: [{ ...scope('one'), recoveryTime: 600 }] };
  const report = (rows: object, value: number, name: string) =>
    decideBatch({
      ...batchInput(
        { rules: [setRule(0, {}), setRule(3, {}), setRule(2), setRule(1)], scopes: [scope('one')], ...rows },
        {
          state: new Map([['one', new Map([['default', value]])]]),
          contributions: new Map([['one', new Map([['default', new Map([['a', 2]])]])]]),
        },
      ),
      messages: [message(name, [JSON.parse(name)])],
    });

  it.each([
    ['the value that the severity has', 3, '{"value":3}', ['one']],
    ['the value that the fingerprint has', 2, '{"value":2,"id":"a"}', ['one']],
    ['the end of what has ended', 0, '{"value":0}', []],
    ['another value', 2, '{"value":3}', []],
  ])('restarts the recovery time: %s', (_name, value, element, expected) => {
    expect(report(recovering, value, element).reportedAgain).toEqual(expected);
    expect(report({}, value, element).reportedAgain).toEqual([]);
  });
});

describe('a severity with fingerprints', () => {
  const values = [0, 1, 5, 1_000_000];
  const space = () => new Space(values.map((value) => setRule(value)));

  it('is the sum of their last values, until all of them are resolved', () => {
    const one = space();
    for (let time = 0; time < 101; time += 1) one.receive([{ id: 'a', value: 1 }]);
    expect(one.value).toBe(1);
    const second = one.receive([
      { id: 'a', value: 1 },
      { id: 'b', value: 5 },
    ]);
    expect(notesOf(second).sort()).toEqual(['why.event.alreadyFingerprint', 'why.event.fingerprint']);
    expect(second.events).toMatchObject([{ delta: 5, previousSeverity: 1, severity: 6 }]);
    one.receive([{ id: 'b', value: 0 }], [{ id: 'c', value: 0 }]);
    expect(one.value).toBe(1);
    expect(one.receive([{ id: 'a', value: 0 }]).scopes).toMatchObject([{ status: 'normal', severity: 0 }]);
    expect(one.open).toBe(0);
  });

  const state = fc.record({ id: fc.constantFrom('a', 'b', 'c'), value: fc.constantFrom(...values) });
  // Each rule sees a whole message before the next rule does.
  const body = fc.uniqueArray(state, { maxLength: 4, selector: ({ id }) => id });
  it('depends on the last value of each fingerprint only, however the messages are cut', {
    timeout: 60_000,
  }, () => {
    let limited = 0;
    fc.assert(
      fc.property(fc.array(body, { maxLength: 8 }), (bodies) => {
        const one = space();
        for (const body of bodies) one.receive(body);
        const together = space();
        together.receive(...bodies);
        const reversedRest = space();
        const last = new Map(bodies.flat().map(({ id, value }) => [id, value]));
        for (const [id, value] of [...last].reverse()) reversedRest.receive([{ id, value }]);
        const sum = [...last.values()].reduce((total, value) => total + value, 0);
        expect(one.value).toBe(Math.min(sum, 1_000_000));
        expect(together.value).toBe(one.value);
        expect(reversedRest.value).toBe(one.value);
        expect(together.contributions.get('default') ?? new Map()).toEqual(
          new Map([...(one.contributions.get('default') ?? [])]),
        );
        if (sum > 1_000_000) limited += 1;
      }),
      { numRuns: 300 },
    );
    expect(limited).toBeGreaterThan(5);
  });

  it('keeps what was added to it besides', () => {
    const one = space();
    one.change({ delta: 7 });
    one.receive([{ id: 'a', value: 5 }]);
    expect(one.value).toBe(12);
    one.change({ delta: -4 });
    one.receive([{ id: 'a', value: 1 }]);
    expect(one.value).toBe(4);
    one.receive([{ id: 'a', value: 0 }]);
    expect(one.value).toBe(3);
  });

  it.each<[string, (space: Space) => unknown]>([
    ['a reset', (one) => one.change({ to: 0 })],
    [
      'a reset of a severity that was lowered to 0',
      (one) => [one.change({ delta: -6 }), one.change({ to: 0 })],
    ],
    ['a value for the whole severity', (one) => one.receive([{ value: 2 }])],
  ])('forgets them at %s', (_name, clear) => {
    const one = new Space([...values.map((value) => setRule(value)), setRule(2, {})]);
    one.receive([
      { id: 'a', value: 1 },
      { id: 'b', value: 5 },
    ]);
    clear(one);
    const before = one.value;
    expect(one.open).toBe(0);
    one.receive([{ id: 'a', value: 1 }]);
    expect(one.value).toBe(before + 1);
  });

  it('reads fingerprints of any text, and tells long ones apart', () => {
    const one = space();
    const long = 'x'.repeat(300);
    one.receive([long, `${long}y`, 'a\u0000', 'a\u0001', ' a ', 'a', 7].map((id) => ({ id, value: 1 })));
    expect(one.value).toBe(6);
    const keys = [...one.contributions.get('default')!.keys()];
    expect(keys.every((key) => key.length <= 256)).toBe(true);
    expect(keys.filter((key) => /^sha256:[0-9a-f]{64}$/.test(key))).toHaveLength(4);
    expect(notesOf(one.receive([{ value: 1 }, { id: ' ', value: 1 }]))).toEqual(
      Array(2).fill('why.event.noFingerprint'),
    );
  });

  it('overflows visibly when the scope has 1,000 of them, and does not grow by repetition', {
    timeout: 60_000,
  }, () => {
    const one = space();
    one.receive(Array.from({ length: 1000 }, (_, id) => ({ id: String(id), value: 1 })));
    expect(one.value).toBe(1000);
    for (let time = 0; time < 3; time += 1) {
      expect(notesOf(one.receive([{ id: 'more', value: 5 }]))).toEqual(['why.event.tooManyFingerprints']);
    }
    expect(one.severities.get(overflowSeverityName)).toBe(5);
    expect(one.value).toBe(1000);
    one.receive([{ id: '0', value: 0 }], [{ id: 'more', value: 5 }]);
    expect([one.value, one.open]).toEqual([1004, 1000]);
  });
});

describe('events that are no state', () => {
  it.each<[object, string]>([
    [{}, 'delta'],
    [{ mode: 'add' }, 'delta'],
    [{ delta: 1, value: 1 }, 'value'],
    [{ delta: 1, fingerprint }, 'fingerprint'],
    [{ mode: 'set' }, 'value'],
    [{ mode: 'set', value: 1, delta: 1 }, 'delta'],
    [{ mode: 'set', value: 1, fingerprint: { path: 'a..b' } }, 'fingerprint.path'],
  ])('are refused: %j', (param, path) => {
    const broken = rule('r', { eventParams: [{ scopeId: 'one', severityName, ...param }] });
    const result = decideBatch({ ...batchInput({ rules: [broken] }), messages: [message('m', {})] });
    expect(result.messages[0]!.rules[0]!.notes[0]).toMatchObject({
      word: 'why.rule.broken',
      params: { path: `eventParams.0.${path}` },
    });
  });
});
