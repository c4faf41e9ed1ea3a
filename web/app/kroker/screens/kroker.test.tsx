import { screen } from '@testing-library/react';
import { credential } from '@yagura/core/kroker/credential';
import { kroker } from '@yagura/core/kroker/kroker';
import { itemFields } from '@yagura/core/resource/define-resource';
import { expect, it } from 'vitest';
import { screenMeta } from '../../resource/screen-meta.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import Kroker from './kroker.tsx';

const page = (total: number) => ({
  data: {
    ...{ meta: screenMeta(kroker), screen: '/preference/kroker/list', references: {}, command: '' },
    ...{ item: { krokerId: 'k', displayName: 'Tokyo', thumbprint: 't' }, permissions: {}, crumbs: [] },
  },
  credentials: {
    ...{ name: 'credential', id: 'credentialId', fields: itemFields(credential), hrefs: {}, references: {} },
    ...{ rows: [{ credentialId: 'c', displayName: 'root' }], total },
  },
  logs: null,
  mayCreate: false,
});

it.each([
  { total: 1, href: undefined },
  { total: 1234, href: '/preference/kroker/list/k/credentials' },
])('leads to all $total credentials: $href', async ({ total, href }) => {
  await renderInRouter(<Kroker />, { loader: () => page(total) });
  await screen.findByText('root');
  expect(screen.queryByRole('link', { name: 'Show all (1,234)' })?.getAttribute('href')).toBe(href);
});
