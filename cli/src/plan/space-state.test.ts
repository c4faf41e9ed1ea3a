import { expect, test } from 'vitest';
import { NameIndex } from './space-state.ts';

function createIndex(): NameIndex {
  const names = new NameIndex();
  names.add('scope', 's1', 'database');
  names.add('scope', 's2', 'web');
  names.add('scope', 's3', 'web');
  names.add('action', 'a1', 'database');
  return names;
}

test('finds ids by name and names by id, each within its resource', () => {
  const names = createIndex();
  expect([names.idOf('scope', 'database'), names.idOf('action', 'database')]).toEqual(['s1', 'a1']);
  expect([names.nameOf('scope', 's1'), names.nameOf('action', 's1')]).toEqual(['database', undefined]);
  expect(names.namesOf('scope')).toEqual(new Set(['database', 'web']));
});

test('a name of several items stands for none of them until one is left', () => {
  const names = createIndex();
  expect([names.idOf('scope', 'web'), names.nameOf('scope', 's2')]).toEqual([undefined, undefined]);
  names.remove('scope', 's2');
  expect([names.idOf('scope', 'web'), names.nameOf('scope', 's3')]).toEqual(['s3', 'web']);
  names.remove('scope', 'unknown');
  expect(names.idOf('scope', 'database')).toBe('s1');
});
