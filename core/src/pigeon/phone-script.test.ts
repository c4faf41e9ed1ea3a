import { expect, test } from 'vitest';
import { maxPhoneSteps, parsePhoneScript } from './phone-script.ts';

test('reads steps separated by semicolons or line breaks', () => {
  expect(parsePhoneScript(' Ring 2s ; answer\nwait 1.5 s;; key # ;key 1;  HANG   UP ')).toEqual({
    steps: [
      { kind: 'pause', milliseconds: 2000 },
      { kind: 'answer' },
      { kind: 'pause', milliseconds: 1500 },
      { kind: 'press', key: '#' },
      { kind: 'press', key: '1' },
      { kind: 'hangUp' },
    ],
  });
});

test.each(['busy', 'ring 0s; decline', 'ring 600s', 'answer', 'answer; key 0'])('%s is a script', (text) => {
  expect(parsePhoneScript(text)).toHaveProperty('steps');
});

test.each([
  ['', 'rule.required', undefined],
  [' ;\n; ', 'rule.required', undefined],
  ['ring', 'pigeon.phone.unknown-step', 1],
  ['ring 601s', 'pigeon.phone.unknown-step', 1],
  ['ring -1s', 'pigeon.phone.unknown-step', 1],
  ['ring 1m', 'pigeon.phone.unknown-step', 1],
  ['answer; key 12', 'pigeon.phone.unknown-step', 2],
  ['answer; key a', 'pigeon.phone.unknown-step', 2],
  ['answer; constructor', 'pigeon.phone.unknown-step', 2],
  ['wait 1s', 'pigeon.phone.misplaced-step', 1],
  ['key 1', 'pigeon.phone.misplaced-step', 1],
  ['hang up', 'pigeon.phone.misplaced-step', 1],
  ['answer; ring 1s', 'pigeon.phone.misplaced-step', 2],
  ['answer; answer', 'pigeon.phone.misplaced-step', 2],
  ['answer; busy', 'pigeon.phone.misplaced-step', 2],
  ['busy; answer', 'pigeon.phone.misplaced-step', 2],
  ['answer; hang up; key 1', 'pigeon.phone.misplaced-step', 3],
])('%j is wrong: %s at %s', (text, word, position) => {
  expect(parsePhoneScript(text)).toEqual({ violation: { word, ...(position ? { position } : {}) } });
});

test('has a limit', () => {
  const keys = (count: number) => `answer${';key 1'.repeat(count)}`;
  expect(parsePhoneScript(keys(maxPhoneSteps - 1))).toHaveProperty('steps');
  expect(parsePhoneScript(keys(maxPhoneSteps))).toEqual({
    violation: { word: 'pigeon.phone.too-many-steps', max: maxPhoneSteps },
  });
});
