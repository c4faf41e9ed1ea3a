import { expect, test } from 'vitest';
import { mayGrantRole, narrowClaims } from './principal.ts';

const operator = { privileged: false, roles: ['pigeon:operator', 'greac:user'] };
const owner = { privileged: true, roles: [] };

test('a token without roles of its own has the claims of its owner', () => {
  expect(narrowClaims(operator, null)).toBe(operator);
  expect(narrowClaims(owner, null)).toBe(owner);
});

test('a token with roles has those that its owner holds now, and is never privileged', () => {
  expect(narrowClaims(operator, ['pigeon:operator', 'sonar:viewer'])).toEqual({
    privileged: false,
    roles: ['pigeon:operator'],
  });
  expect(narrowClaims(owner, ['sonar:viewer'])).toEqual({ privileged: false, roles: ['sonar:viewer'] });
  expect(narrowClaims(operator, [])).toEqual({ privileged: false, roles: [] });
});

test.each([
  ['alerthub:administrator', 'alerthub:viewer', true],
  ['alerthub:viewer', 'alerthub:administrator', false],
  ['alerthub:administrator', 'sonar:viewer', false],
  ['alerthub:administrator', 'alerthub:unknown', false],
])('who holds %s may grant %s: %s', (held, granted, expected) => {
  expect(mayGrantRole({ privileged: false, roles: [held] }, granted)).toBe(expected);
});
