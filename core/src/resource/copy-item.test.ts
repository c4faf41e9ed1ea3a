import { describe, expect, test } from 'vitest';
import { action } from '../alerthub/action.ts';
import { actionRecord } from '../alerthub/action-record.ts';
import { resources } from '../all.ts';
import { copyItem, isCopyable } from './copy-item.ts';
import { inputFields } from './define-resource.ts';

const nameCopy = (name: string) => `${name} (copy)`;
const copy = (displayName: string) =>
  copyItem(inputFields(action), { displayName, kind: 'webhook', createdAt: 'x' }, 'displayName', nameCopy);

describe('copyItem', () => {
  test('takes the fields of the input and marks the name', () => {
    expect(copy('Hook')).toEqual({ displayName: 'Hook (copy)', kind: 'webhook' });
  });

  test.each([
    ['x'.repeat(30), `${'x'.repeat(23)} (copy)`],
    [`${'x'.repeat(22)} yyyyyyy`, `${'x'.repeat(22)} (copy)`],
    ['👨‍👩‍👧'.repeat(30), `${'👨‍👩‍👧'.repeat(23)} (copy)`],
  ])('shortens the name %s to its maximum length', (name, expected) => {
    expect(copy(name).displayName).toBe(expected);
  });

  test('leaves out secrets', () => {
    const fields = { displayName: inputFields(action).displayName!, password: { kind: 'secret' } as never };
    expect(copyItem(fields, { displayName: 'a', password: 'b' }, 'displayName', nameCopy)).toEqual({
      displayName: 'a (copy)',
    });
  });
});

test('what users create and edit can be copied, records cannot', () => {
  expect(isCopyable(action.verbs)).toBe(true);
  expect(isCopyable(actionRecord.verbs)).toBe(false);
  expect(resources.filter(({ verbs }) => isCopyable(verbs)).length).toBeGreaterThan(15);
});
