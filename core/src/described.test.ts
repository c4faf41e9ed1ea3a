import { describe, expect, it } from 'vitest';
import { all } from './all.ts';
import { described } from './described.ts';
import { inputFacts, itemFacts, pathParameters } from './resource/define-resource.ts';
import { label as en } from './words/en/label.ts';
import { label as ja } from './words/ja/label.ts';

describe('described resources', () => {
  it('have unique names', () => {
    const names = described.map((resource) => resource.name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it.each([
    ['ksocket-slot', '/api/ksocket/slots', '/api/ksocket/slots/{ksocketSlotId}'],
    [
      'ksocket-token',
      '/api/ksocket/slots/{ksocketSlotId}/tokens',
      '/api/ksocket/slots/{ksocketSlotId}/tokens/{id}',
    ],
  ])('%s lives at %s', (name, path, itemPath) => {
    expect(described.find((resource) => resource.name === name)).toMatchObject({ path, itemPath });
  });

  const added = described.filter((resource) => !all.includes(resource));

  it.each(added.map((resource) => [resource.name, resource] as const))(
    '%s has its words',
    (_name, resource) => {
      const facts = [...Object.entries(itemFacts(resource)), ...Object.entries(inputFacts(resource))];
      const wanted = facts.flatMap(([name, fact]) => [
        `label.${name}`,
        ...(fact.options ?? []).map((option) => `value.${option}`),
      ]);
      expect(wanted.filter((key) => !(key in en) || !(key in ja))).toEqual([]);
    },
  );

  it.each(added.map((resource) => [resource.name, resource] as const))(
    '%s has its parent',
    (_name, resource) => {
      if (resource.parent === undefined) return expect(pathParameters(resource.path)).toEqual([]);
      const parent = described.find((candidate) => candidate.name === resource.parent);
      expect(pathParameters(resource.path)).toEqual(pathParameters(parent?.itemPath ?? ''));
    },
  );
});
