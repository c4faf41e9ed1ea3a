import { describe, expect, it } from 'vitest';
import { mostNames, ScopeSeverities } from './severity.ts';

const thresholds = { warning: 2, incident: 5 };

describe('apply', () => {
  it.each<[Record<string, number>, string, number, number, number, string, string]>([
    [{}, 'default', 1, 0, 1, 'normal', 'normal'],
    [{ default: 1 }, 'default', 1, 1, 2, 'normal', 'warning'],
    [{ default: 4 }, 'default', 1, 4, 5, 'warning', 'incident'],
    [{ default: 5 }, 'default', -1, 5, 4, 'incident', 'warning'],
    [{ default: 1 }, 'default', -5, 1, 0, 'normal', 'normal'],
    [{ default: 0 }, 'default', -1, 0, 0, 'normal', 'normal'],
    [{ a: 5, b: 0 }, 'b', 1, 0, 1, 'incident', 'incident'],
    [{ a: 5, b: 3 }, 'a', -5, 5, 0, 'incident', 'warning'],
    [{ a: 5, b: 5 }, 'a', -5, 5, 0, 'incident', 'incident'],
    [{ a: 999_999 }, 'a', 1000, 999_999, 1_000_000, 'incident', 'incident'],
  ])('%j %s %i', (values, name, delta, previousSeverity, severity, statusBefore, status) => {
    const scope = new ScopeSeverities(new Map(Object.entries(values)), thresholds);
    expect(scope.apply(name, delta)).toMatchObject({ previousSeverity, severity, statusBefore, status });
    expect(scope.severity).toBe(Math.max(...Object.values({ ...values, [name]: severity })));
  });
  it('takes at most 1,000 names', () => {
    const scope = new ScopeSeverities(new Map(), thresholds);
    for (let index = 0; index < mostNames; index += 1) scope.apply(`s${index}`, 1);
    expect(scope.takes('s0')).toBe(true);
    expect(scope.takes('new')).toBe(false);
  });
});
