import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInRouter } from '../ui/test/render.tsx';
import { FailureInfo } from './failure-info.tsx';

test('a failure is told in words, with its code and the keys of the host', async () => {
  const params = { expected: 'SHA256:a', found: 'SHA256:b' };
  await renderInRouter(<FailureInfo failure={{ code: 'HOST_KEY_CHANGED', params }} />);
  expect(screen.getByText(/^The host key of the destination has changed\./)).toBeTruthy();
  const terms = screen.getAllByRole('term').map((term) => term.textContent);
  const values = screen.getAllByRole('definition').map((value) => value.textContent);
  expect(terms).toEqual(['Code', 'Known key', 'Presented key']);
  expect(values).toEqual(['HOST_KEY_CHANGED', 'SHA256:a', 'SHA256:b']);
});
