import { expect, test } from 'vitest';
import { compileConfig } from './compile-config.ts';

const thresholds = { warning: 1, incident: 10 };
const scope = (scopeId: string, host: string) => ({
  ...{ scopeId, displayName: `Scope ${scopeId}`, remarks: '', thresholds, recoveryTime: null },
  attributes: [{ name: 'host', value: host }],
});
const rule = (ruleId: string, displayName: string) => ({
  ...{ ruleId, displayName, receiveSlotId: 'slot', disabled: false, createdAt: '2026-01-01T00:00:00.000Z' },
  ...{ flow: { steps: [] }, eventParams: [], conditionalEventParams: [] },
});

test('what was made of rows that are the same objects is kept', () => {
  const rows = {
    ...{ rules: [rule('a', 'First'), rule('b', 'Second')], scopes: [scope('1', 'x'), scope('2', 'y')] },
    ...{ triggers: [], actions: [], space: {} },
  };
  const before = compileConfig(rows);
  const [kept] = rows.rules as [(typeof rows.rules)[0]];
  const after = compileConfig({ ...rows, rules: [kept, rule('b', 'Renamed')] });
  expect(after.rulesBySlot.get('slot')![0]).toBe(before.rulesBySlot.get('slot')![0]);
  expect(after.rulesBySlot.get('slot')![1]!.displayName).toBe('Renamed');
  expect(after.scopeIndex).toBe(before.scopeIndex);
});

test('a replaced scope is found by its new attributes only', () => {
  const kept = scope('1', 'x');
  const rows = { rules: [], scopes: [kept, scope('2', 'y')], triggers: [], actions: [], space: {} };
  const before = compileConfig(rows);
  const after = compileConfig({ ...rows, scopes: [kept, scope('2', 'z')] });
  expect(after.scopes.get('1')!.attributes).toBe(before.scopes.get('1')!.attributes);
  expect(after.scopeIndex.withAttribute('host', 'y')).toEqual([]);
  expect(after.scopeIndex.withAttribute('host', 'z')).toEqual(['2']);
  expect(before.scopeIndex.withAttribute('host', 'y')).toEqual(['2']);
});
