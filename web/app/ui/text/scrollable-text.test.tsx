import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInRouter } from '../test/render.tsx';
import { ScrollableText } from './scrollable-text.tsx';

it('is reached by the keyboard', async () => {
  const { user } = await renderInRouter(<ScrollableText>long</ScrollableText>);
  await user.tab();
  expect(document.activeElement).toBe(screen.getByText('long'));
});
