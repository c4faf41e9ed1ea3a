import { expect, test } from 'vitest';
import { en } from '../i18n/en/all.ts';
import { createTranslator } from '../i18n/translator.ts';
import { shapeFields } from '../resource/field.ts';
import { invalidParams } from '../validation/issue-messages.ts';
import { parameterSchemas } from './session-parameters.ts';

const sizes = ['8', '9', '10', '11', '12', '14', '18', '24', '30', '36', '48', '60', '72', '96'];

test.each(['ssh', 'telnet'] as const)('forms for %s offer the font sizes of the product', (protocol) => {
  const { fontSize } = shapeFields(parameterSchemas[protocol]);
  expect(fontSize).toEqual({
    ...{ kind: 'integer', required: false, nullable: false, default: 12, options: sizes },
  });
});

test.each([13, 7, 97, 12.5, '12'])('the font size %j is refused with the list of sizes', (fontSize) => {
  const { error } = parameterSchemas.ssh.safeParse({ fontSize });
  expect(invalidParams(error!, createTranslator('en', en))).toEqual([
    { name: 'fontSize', reason: `Enter one of: ${sizes.join(', ')}` },
  ]);
});

test('a font size of the list is kept', () => {
  expect(parameterSchemas.ssh.parse({ fontSize: 96 })).toMatchObject({ fontSize: 96 });
});
