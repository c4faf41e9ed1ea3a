import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { expect, test } from 'vitest';
import { type FormField, formPage } from './form-page.ts';

const input = async (field: Partial<FormField>) => {
  const { text } = formPage({
    ...{ language: 'en', t: await loadTranslator('en'), title: 'A form', action: '/form', submit: 'Send' },
    fields: [{ name: 'one', label: 'One', type: 'text', autocomplete: 'off', maxLength: 100, ...field }],
  });
  return /<input id="one"[^>]*>/.exec(text)![0];
};

test('fields of addresses and codes ask phones for a keypad, others do not', async () => {
  expect(await input({ type: 'email' })).toContain('inputmode="email"');
  expect(await input({ numeric: true })).toContain('inputmode="numeric"');
  expect(await input({})).not.toContain('inputmode');
});

test('a field has its value, and names its hint and its error', async () => {
  const plain = await input({});
  for (const part of [' value=', 'aria-invalid', 'aria-describedby']) expect(plain).not.toContain(part);
  const refused = await input({ value: '<a>', hint: 'Short', error: 'Too long' });
  expect(refused).toContain(' value="&lt;a&gt;"');
  expect(refused).toContain('aria-invalid="true" aria-describedby="one-hint one-fault"');
  expect(await input({ hint: 'Short' })).toContain('aria-describedby="one-hint"');
});
