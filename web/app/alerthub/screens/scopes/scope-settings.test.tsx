import { screen, waitFor, within } from '@testing-library/react';
import { attribute, scope, severity } from '@yagura/core/alerthub/scope';
import { inputFields, itemFields } from '@yagura/core/resource/define-resource';
import { expect, it } from 'vitest';
import { screenMeta } from '../../../resource/screen-meta.ts';
import { renderInRouter } from '../../../ui/test/render.tsx';
import ScopeLayout from './scope.tsx';
import ScopeSettings from './scope-settings.tsx';

const settings = (allowed: boolean) => ({
  fields: inputFields(scope),
  values: {
    displayName: 'Shop',
    remarks: 'Ask Sato first',
    thresholds: { warning: 3, incident: 7 },
    recoveryTime: 600,
  },
  tag: 'tag',
  severities: {
    name: 'severity',
    id: 'name',
    fields: itemFields(severity),
    rows: [{ name: 'disk', value: 5, status: 'warning' }],
    hrefs: {},
    total: 1,
    references: {},
  },
  attributes: {
    name: 'attribute',
    id: 'name',
    fields: itemFields(attribute),
    rows: [{ name: 'site', value: 'Tokyo' }],
    hrefs: {},
    total: 1,
    references: {},
  },
  severityForm: inputFields(severity),
  attributeForm: { name: itemFields(attribute).name, ...inputFields(attribute) },
  mayEdit: allowed,
  severityPermissions: { add: allowed, remove: allowed },
  attributePermissions: { add: allowed, remove: allowed },
});

it('shows the settings and the attributes as text to those who may only read', async () => {
  const { container } = await renderInRouter(<ScopeSettings />, { loader: () => settings(false) });
  for (const text of ['Shop', 'Ask Sato first', '7', '10 minutes', 'disk', 'site', 'Tokyo'])
    expect(await screen.findByText(text)).toBeTruthy();
  expect([...container.querySelectorAll('form, input, textarea, select, button')]).toEqual([]);
});

it('has forms for those who may change them', async () => {
  const { container } = await renderInRouter(<ScopeSettings />, { loader: () => settings(true) });
  expect(await screen.findByDisplayValue('Ask Sato first')).toBeTruthy();
  expect(container.querySelectorAll('form')).toHaveLength(3);
  expect(screen.getByRole('button', { name: 'Delete: site' })).toBeTruthy();
});

it('has labels and errors of its own for each of its forms', async () => {
  const { container, user } = await renderInRouter(<ScopeSettings />, { loader: () => settings(true) });
  const part = within(await screen.findByRole('region', { name: 'Attributes' }));
  await user.click(part.getByText('Name', { selector: 'label' }));
  expect(document.activeElement).toBe(
    container.querySelector('form[data-part=set-attribute] input[name=name]'),
  );
  await user.click(part.getByRole('button', { name: 'Set' }));
  await user.click(screen.getByRole('button', { name: 'Add' }));
  const ids = [...container.querySelectorAll('[id]')].map((node) => node.id);
  expect(ids.filter((id) => id.endsWith('-error'))).toHaveLength(2);
  expect(new Set(ids).size).toBe(ids.length);
});

it('gives the focus that an addition took away to the next one', async () => {
  let { attributes } = settings(true);
  const { user } = await renderInRouter(<ScopeSettings />, {
    loader: () => ({ ...settings(true), attributes }),
    action: (form) => {
      attributes = {
        ...attributes,
        rows: [...attributes.rows, { name: String(form.get('name')), value: 'x' }],
      };
      return {};
    },
  });
  const part = within(await screen.findByRole('region', { name: 'Attributes' }));
  await user.type(part.getByRole('textbox', { name: /^Name/ }), 'rack{Enter}');
  expect(await part.findByRole('cell', { name: 'rack' })).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(part.getByRole('textbox', { name: /^Name/ })));
});

it('has a tab on the page of the scope without permission to edit', async () => {
  const data = {
    ...{ meta: screenMeta(scope), screen: '/apps/alerthub/scopes', references: {}, command: '', crumbs: [] },
    ...{ item: { scopeId: 's', displayName: 'Shop' }, permissions: { show: true }, tabs: {} },
  };
  await renderInRouter(<ScopeLayout />, { loader: () => data });
  const tab = await screen.findByRole('link', { name: 'Settings' });
  expect(tab.getAttribute('href')).toBe('/apps/alerthub/scopes/s/settings');
});
