import { describe, expect, it } from 'vitest';
import { matchResource } from './match-resource.server.ts';

describe('resourceAt', () => {
  it.each([
    ['/apps/alerthub/scopes', 'scope', '/apps/alerthub/scopes', {}, []],
    ['/apps/alerthub/scopes/', 'scope', '/apps/alerthub/scopes', {}, []],
    ['/apps/alerthub/scopes/s1', 'scope', '/apps/alerthub/scopes', {}, ['s1']],
    ['/apps/alerthub/scopes/s1/edit', 'scope', '/apps/alerthub/scopes', {}, ['s1', 'edit']],
    [
      '/apps/alerthub/scopes/s1/triggers',
      'trigger',
      '/apps/alerthub/scopes/s1/triggers',
      { scopeId: 's1' },
      [],
    ],
    [
      '/apps/alerthub/scopes/s1/triggers/t1',
      'trigger',
      '/apps/alerthub/scopes/s1/triggers',
      { scopeId: 's1' },
      ['t1'],
    ],
    ['/preference/space/edit', 'space', '/preference/space', {}, ['edit']],
    ['/apps/alerthub/rules/a%2Fb', 'rule', '/apps/alerthub/rules', {}, ['a/b']],
    ['/apps/alerthub/rules/%E0%A4%A', 'rule', '/apps/alerthub/rules', {}, ['%E0%A4%A']],
  ])('%s', (path, name, screen, params, rest) => {
    const found = matchResource(path);
    expect({ ...found, resource: found.resource.name }).toEqual({ resource: name, screen, params, rest });
  });

  it.each(['/', '/apps', '/apps/alerthub', '/apps/other/things'])('knows nothing at %s', (path) => {
    expect(() => matchResource(path)).toThrow();
  });
});
