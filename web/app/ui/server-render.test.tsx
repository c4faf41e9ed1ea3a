// @vitest-environment node
import { createRemixStub } from '@remix-run/testing';
import { action } from '@yagura/core/alerthub/action';
import { rule } from '@yagura/core/alerthub/rule';
import { scope } from '@yagura/core/alerthub/scope';
import { languages } from '@yagura/core/i18n/language';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { screenMeta } from '../resource/screen-meta.ts';
import { Form } from './form/form.tsx';
import { ToastProvider } from './overlay/toast.tsx';
import { DataTable } from './table/data-table.tsx';
import { FieldValue } from './text/field-value.tsx';
import { TranslationProvider } from './translation.tsx';

const meta = screenMeta(scope);
const row = {
  scopeId: 's',
  status: 'warning',
  displayName: 'Web',
  severity: 3,
  thresholds: { warning: 1, incident: 5 },
  recoveryTime: 3600,
  lastEventAt: '2026-11-21T00:00:00.000Z',
  createdAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-21T00:00:00.000Z',
};

const parts: [name: string, part: ReactNode][] = [
  [
    'table',
    <DataTable
      key="table"
      id="scopes"
      caption="Scopes"
      columns={meta.columns.map((column) => ({ ...column, label: column.name }))}
      rows={[row]}
      rowKey={(item) => item.scopeId}
      rowHref={(item) => `/scopes/${item.scopeId}`}
      total={1}
      state={{ page: 1, size: 10, sort: [], columns: meta.columns.map(({ name }) => name) }}
    />,
  ],
  [
    'values',
    meta.detail.map(({ name, meta }) => (
      <FieldValue key={name} name={name} meta={meta} value={row[name as keyof typeof row]} />
    )),
  ],
  ...[scope, rule, action].map((resource): [string, ReactNode] => [
    `${resource.name} form`,
    <Form key={resource.name} meta={screenMeta(resource).form} values={{ kind: 'email' }} />,
  ]),
];

/** Renders as the server does: without window, storage or clock. */
describe('on the server', () => {
  for (const language of languages) {
    it.each(parts)(`draws the %s in ${language} with words for everything`, async (_name, part) => {
      const dictionary = await loadTranslations(language);
      const Stub = createRemixStub([
        {
          path: '*',
          Component: () => (
            <TranslationProvider language={language} translations={dictionary} timeZone="Asia/Tokyo">
              <ToastProvider>{part}</ToastProvider>
            </TranslationProvider>
          ),
        },
      ]);
      const html = renderToString(<Stub initialEntries={['/']} />);
      expect(html.length).toBeGreaterThan(100);
      expect(html).not.toMatch(/\b(?:ui|rule|verb|text|value|label|format)\.[a-z]+[A-Za-z-]*</);
      // Style attributes would require a weaker content security policy.
      expect(html).not.toContain(' style=');
    });
  }
});
