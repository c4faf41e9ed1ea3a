import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { controlId } from '../field/field-frame.tsx';
import { renderInRouter } from '../test/render.tsx';
import { ProblemAlert } from './problem-alert.tsx';

it.each([
  ['en', 'Contacts › Row 1 › Name'],
  ['ja', '連絡先 › 1行目 › 名前'],
] as const)('names fields by their labels in %s and leads to them', async (language, label) => {
  const name = 'contacts.0.displayName';
  const { user } = await renderInRouter(
    <form>
      <input id={controlId(name)} name={name} />
      <ProblemAlert text="Check" errors={{ [name]: 'This field is required' }} />
    </form>,
    { language },
  );
  await user.click(screen.getByRole('button', { name: label }));
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});
