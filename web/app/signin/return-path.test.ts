import { describe, expect, it } from 'vitest';
import { returnPath } from './return-path.ts';

describe('returnPath', () => {
  it.each([
    ['/', '/'],
    [
      '/apps/alerthub/scopes?filter=status eq "incident"',
      '/apps/alerthub/scopes?filter=status%20eq%20%22incident%22',
    ],
    ['/apps/x#part', '/apps/x#part'],
    ['/a/../b', '/b'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/a\\b', '/'],
    ['/\t/evil.example', '/'],
    ['/a\nb', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['', '/'],
    [null, '/'],
    [{}, '/'],
    [`/${'a'.repeat(3000)}`, '/'],
  ])('%j leads to %j', (requested, path) => {
    expect(returnPath(requested)).toBe(path);
  });
});
