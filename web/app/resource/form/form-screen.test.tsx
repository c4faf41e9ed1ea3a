import { screen } from '@testing-library/react';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { rule } from '@yagura/core/alerthub/rule';
import { scope } from '@yagura/core/alerthub/scope';
import { expect, it } from 'vitest';
import { rememberListView } from '../../ui/page/list-view.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import { screenMeta } from '../screen-meta.ts';
import { FormScreen } from './form-screen.tsx';

it('leads to the form of what has to be created first', async () => {
  const missing = [{ noun: receiveSlot.noun, href: '/slots/new' }];
  await renderInRouter(
    <FormScreen
      {...{ meta: screenMeta(rule), references: {}, missing, hidden: {} }}
      mode="create"
      cancelHref="/lists/rules"
    />,
  );
  const link = screen.getByRole('link', { name: 'Create receive slot' });
  expect(link.getAttribute('href')).toBe('/slots/new');
  expect(link.closest('p')!.textContent).toContain('Create a receive slot first.');
});

it('leads back to the page and the filter that the list had', async () => {
  rememberListView('/lists/scopes', '?page=2&filter=x');
  await renderInRouter(
    <FormScreen
      meta={screenMeta(scope)}
      references={{}}
      hidden={{}}
      mode="create"
      cancelHref="/lists/scopes"
    />,
  );
  for (const name of ['Back', 'Cancel'])
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/lists/scopes?page=2&filter=x');
});
