// Texts that the specification gives word for word; the style guide does not change them.
import { expect, test } from 'vitest';
import { loadTranslator } from './load-translations.ts';

test.each([
  ['rule.required', 'This field is required'],
  ['rule.email', 'The value must be a valid email address'],
  ['rule.keyExists', 'An entry with the specified key already exists'],
  ['rule.select', 'Please select an option'],
  ['text.no-data', 'No data'],
  ['text.forbidden', 'Forbidden'],
  ['text.forbidden-detail', 'You do not have the permission to access.'],
  ['text.error', 'Error'],
  ['text.error-detail', 'Failed to load data. Please retry a bit later.'],
  ['text.loading', 'Loading'],
  ['text.copied', 'Copied'],
  ['shell.loading', 'Loading...'],
  ['contract.none', 'No subscription is subscribing'],
  ['pigeon.phone-hidden', 'Unauthorized users cannot view phone numbers'],
  ['problem.rejected', 'Failed to register task'],
  ['problem.chain-rejected', 'Failed to invoke chain'],
] as const)('%s', async (key, text) => {
  expect((await loadTranslator('en'))(key)).toBe(text);
});
