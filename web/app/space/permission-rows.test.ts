import { expect, it } from 'vitest';
import { toPermissionRows } from './permission-rows.ts';

const power = (permission: string, allowed: boolean, roles: string[]) => ({
  app: 'alerthub',
  resource: 'scope',
  permission,
  allowed,
  roles,
});

it('puts what the same roles give of one thing into one row', () => {
  const rows = toPermissionRows([
    power('alerthub:scopes:create', false, ['alerthub:administrator']),
    power('alerthub:scopes:list', true, ['alerthub:viewer']),
    power('alerthub:scopes:get', true, ['alerthub:viewer']),
    power('alerthub:rules:list', true, ['alerthub:viewer']),
    power('alerthub:scopes:update', false, ['alerthub:administrator']),
    power('alerthub:scopes:delete', false, []),
  ]);
  expect(rows.map(({ prefix, actions, allowed }) => [prefix, actions, allowed])).toEqual([
    ['alerthub:scopes', ['list', 'get'], true],
    ['alerthub:scopes', ['create', 'update'], false],
    ['alerthub:scopes', ['delete'], false],
    ['alerthub:rules', ['list'], true],
  ]);
});

it('has no rows without permissions', () => {
  expect(toPermissionRows([])).toEqual([]);
});
