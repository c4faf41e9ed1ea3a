import { expect, test } from 'vitest';
import type { Reason } from '../../decision-log.ts';
import { FlowData } from '../data/flow-data.ts';
import { ScopeIndex } from './scope-index.ts';
import { compileSelector } from './scope-selector.ts';

const hostOfMessage = { attributes: [{ name: 'host', op: 'eq' as const, value: { path: 'host' } }] };

/** 1,000 scopes with the attribute; counts how often an attribute is read. */
function manyScopes() {
  let reads = 0;
  class CountingIndex extends ScopeIndex {
    override attribute(scopeId: string, name: string) {
      reads++;
      return super.attribute(scopeId, name);
    }
  }
  const index = new CountingIndex();
  for (let number = 0; number < 1000; number++) {
    const attributes = new Map(number === 7 ? [] : [['host', `h${number}`]]);
    index.add({ scopeId: `${number}`, displayName: `Scope ${number}`, attributes });
  }
  return { index, readCount: () => reads };
}

test('whether one scope could be selected does not depend on the number of scopes', () => {
  const { index, readCount } = manyScopes();
  const selector = compileSelector(hostOfMessage);
  expect(selector.couldSelect(index, '999')).toBe(true);
  expect(selector.couldSelect(index, '7')).toBe(false);
  expect(selector.couldSelect(index, 'missing')).toBe(false);
  expect(readCount()).toBe(3);
});

test('no more scopes are looked at than it takes to find that there are too many', () => {
  const { index, readCount } = manyScopes();
  const selector = compileSelector(hostOfMessage);
  expect(selector.possibleScopes(index, 10)).toBeUndefined();
  expect(selector.possibleScopes(index, 10)).toBeUndefined();
  expect(readCount()).toBe(12);
  expect(selector.possibleScopes(index)).toHaveLength(999);
  expect(selector.possibleScopes(index, 999)).toHaveLength(999);
  expect(selector.possibleScopes(index, 998)).toBeUndefined();
});

test('the possible scopes of two indexes are found once each', () => {
  const selector = compileSelector(hostOfMessage);
  const [one, other] = [manyScopes(), manyScopes()];
  const first = selector.possibleScopes(one.index);
  selector.possibleScopes(other.index);
  expect(selector.possibleScopes(one.index)).toBe(first);
  one.index.add({ scopeId: 'new', displayName: 'New', attributes: new Map([['host', 'new']]) });
  expect(selector.possibleScopes(one.index)).toHaveLength(1000);
});

test('a note names the conditions that no scope meets, and at most 100 characters of each value', () => {
  const selector = compileSelector({
    attributes: [
      { name: 'host', op: 'eq', value: { path: 'message.host' } },
      { name: 'env', op: 'pr', value: '' },
    ],
  });
  const notes: Reason[] = [];
  const data = new FlowData({ message: { host: `web${'1'.repeat(200)}` } });
  expect(selector.select(new ScopeIndex(), data, notes)).toEqual({ scopeIds: [] });
  const wanted = `host eq "web${'1'.repeat(97)}", env pr`;
  expect(notes).toEqual([{ word: 'why.event.noScopes', params: { wanted } }]);
});
