import { expect, test } from 'vitest';
import {
  checkNewPassword,
  findPasswordProblem,
  generatePassword,
  hashPassword,
  verifyPassword,
} from './password.ts';

/** A hash of "right" that costs next to nothing to verify. */
const cheap = '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$';

const strong = (length: number) => 'Kx7-mQ2v!zR9w#Lp4t'.repeat(20).slice(0, length);

test.each([
  [strong(11), { word: 'rule.minLength', params: { count: 12 } }],
  [strong(12), null],
  [strong(256), null],
  [strong(257), { word: 'rule.maxLength', params: { count: 256 } }],
  // Characters count, not UTF-16 units.
  [`${strong(6)}${'😀'.repeat(5)}`, { word: 'rule.minLength', params: { count: 12 } }],
  [`${strong(100)}${'😀'.repeat(156)}`, null],
  ['purplelanternboat42', { word: 'rule.password', params: {} }],
  ['Password1234!', { word: 'rule.passwordCommon', params: {} }],
  ['Password-2024', { word: 'rule.passwordCommon', params: {} }],
  ['summer-Sunshine1', null],
  // Only the beginning is measured, so a guessable one is not made good by what follows.
  [`${'a1-'.repeat(22)}${strong(60)}`, { word: 'rule.passwordCommon', params: {} }],
  ['Purple-lantern-42-boat', null],
])('of the new password %j the problem is %j', async (given, problem) => {
  expect(await findPasswordProblem(given)).toEqual(problem);
});

test.each([
  ['Fumiko-12345', ['fumiko@example.com'], true],
  ['fUMIKO-12345', ['Fumiko Natsume'], true],
  ['Kx7-mQ2fumiko', ['fumiko@example.com'], false],
  ['Kx7-mQfumiko', ['fumiko@example.com'], true],
  ['Kx7-mQfumiko', ['nobody@example.com'], false],
  ['Kx7-mQmaimai', ['mai'], true],
  ['fumiko@example.com1', ['fumiko@example.com'], true],
  // Words of one or two letters are in any password.
  ['Purple-lantern-42-boat', ['p', 'u r', 'la', 'te', 'bo at'], false],
  ['Lantern.Boat-4', ['lantern boat'], true],
  // Words with the meaning of regular expressions are taken as they are.
  ['Kx7-mQ2v!zR9', ['.*'.repeat(3)], false],
])('the password %j of %j is guessable: %s', async (given, own, isGuessable) => {
  expect((await findPasswordProblem(given, own))?.word).toBe(isGuessable ? 'rule.passwordCommon' : undefined);
});

test('a refused password is named with the reason', async () => {
  await expect(checkNewPassword(strong(11))).rejects.toMatchObject({
    status: 400,
    invalidParams: [{ name: 'password', reason: expect.stringContaining('12') }],
  });
  await expect(checkNewPassword(strong(12))).resolves.toBeUndefined();
});

test('a password is stored as argon2id at the documented cost and compared however it was typed', async () => {
  const stored = await hashPassword('Ｗｉｄｅ-horse-9');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(stored, 'Wide-horse-9')).toBe(true);
  expect(await verifyPassword(stored, 'Wide-horse-8')).toBe(false);
  expect(await verifyPassword(null, 'Wide-horse-9')).toBe(false);
});

test('generated passwords are readable, differ and pass the rules', async () => {
  const made = Array.from({ length: 50 }, generatePassword);
  expect(new Set(made).size).toBe(50);
  for (const one of made)
    expect(one).toMatch(/^(?=.*\d)(?=.*[A-Za-z])([a-km-zA-HJ-NP-Z2-9]{5}-){3}[a-km-zA-HJ-NP-Z2-9]{5}$/);
  expect(await findPasswordProblem(made[0]!)).toBeNull();
});

test('a hundred calls wait for their turn, more are told to come back, and failures free their place', async () => {
  const hash = `${cheap}${'A'.repeat(43)}`;
  const verify = (stored: string) => verifyPassword(stored, 'right').catch((error: unknown) => error);
  const broken = Array.from({ length: 2 }, () => verify('no hash'));
  const waiting = Array.from({ length: 100 }, (_, at) => verify(at % 2 ? hash : 'no hash'));
  const busy = { kind: 'unavailable', retryAfter: 5 };
  expect(await verify(hash)).toMatchObject(busy);
  const results = await Promise.all([...broken, ...waiting]);
  for (const result of results) expect(result).not.toMatchObject(busy);
  expect(results.filter((result) => result === false)).toHaveLength(50);
  const again = Array.from({ length: 103 }, () => verify(hash));
  const [last, ...others] = (await Promise.all(again)).reverse();
  expect(last).toMatchObject(busy);
  expect(others).toEqual(others.map(() => false));
});
