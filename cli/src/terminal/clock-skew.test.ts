import { expect, test } from 'vitest';
import { ClockSkew, serverNow } from './clock-skew.ts';

const date = 'Sat, 31 Jan 2026 09:00:00 GMT';
const atSpace = Date.parse(date);
const hour = 3_600_000;

test.each([
  ['a clock that is three hours ahead', 3 * hour, 3 * hour],
  ['a clock that is a day behind', -24 * hour, -24 * hour],
  ['a second of rounding', 1000, 0],
  ['a slow reply', 5000, 0],
])('%s is judged by the Date header', (_what, offset, milliseconds) => {
  const clockSkew = new ClockSkew();
  const now = () => atSpace + offset;
  expect(serverNow({ clockSkew, now })).toBe(now());
  clockSkew.note(date, now());
  expect(clockSkew.milliseconds).toBe(milliseconds);
  expect(serverNow({ clockSkew, now })).toBe(now() - milliseconds);
});

test('a reply without a usable header changes nothing', () => {
  const clockSkew = new ClockSkew();
  clockSkew.note(date, atSpace + hour);
  for (const header of [null, '', 'yesterday']) clockSkew.note(header, atSpace);
  expect(clockSkew.milliseconds).toBe(hour);
});
