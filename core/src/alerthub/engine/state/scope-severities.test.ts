import { describe, expect, it } from 'vitest';
import { overflowSeverityName } from '../../scope-status.ts';
import { ScopeSeverities } from './scope-severities.ts';

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
});

describe('a scope that has 1,000 names', () => {
  const full = (startsAt: (index: number) => number) =>
    new ScopeSeverities(
      new Map(
        Array.from({ length: 1000 }, (_, index) => [index === 0 ? 'default' : `s${index}`, startsAt(index)]),
      ),
      thresholds,
    );

  it('has a place for one more while it has 999', () => {
    const scope = full(() => 1);
    scope.apply('s5', -1);
    expect(scope.reserveName('new')).toEqual({ evicted: 's5' });
    expect(scope.values.has('s5')).toBe(false);
    expect(scope.reserveName('new')).toBe(true);
  });
  it('lets the normal name give way that changed least recently, and never the default one', () => {
    const scope = full(() => 0);
    scope.apply('s1', 1);
    scope.apply('s1', -1);
    expect(scope.reserveName('new')).toEqual({ evicted: 's2' });
    scope.apply('new', 1);
    expect(scope.reserveName('newer')).toEqual({ evicted: 's3' });
  });
  it('has no place when all are above 0, but for those it has', () => {
    const scope = full(() => 1);
    expect(scope.reserveName('new')).toBe(false);
    expect(scope.reserveName('s7')).toBe(true);
    expect(scope.reserveName(overflowSeverityName)).toBe(true);
  });
  it('is not normal once something overflowed, however little it was', () => {
    const scope = full(() => 1);
    expect(scope.apply(overflowSeverityName, 1)).toMatchObject({
      severity: 2,
      statusBefore: 'normal',
      status: 'warning',
    });
    expect(scope.apply(overflowSeverityName, 3)).toMatchObject({ severity: 5, status: 'incident' });
    expect(scope.reserveName('new')).toBe(false);
    expect(scope.apply(overflowSeverityName, -5)).toMatchObject({ severity: 0, status: 'normal' });
  });
});
