import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Language } from '@yagura/core/i18n/language';
import type { PreviewCall, RingPreview } from '@yagura/core/pigeon/ring-preview';
import { expect, test } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import type { CallLine } from './call-button.tsx';
import { callIntent, previewFields } from './preview-fields.ts';
import { RingPreviewPanel } from './ring-preview-panel.tsx';

const call = (position: number, loop: number, displayName: string): PreviewCall => ({
  ...{ position, loop, contact: { contactId: null, displayName }, phoneNumber: `050000000${position}` },
  ...{ startsAt: 0, ringsAt: 1, answeredAt: null, endsAt: 31, transfer: false, keyInput: null },
  ...{ behavior: null, readings: 0, reason: 'noAnswer', status: 'missed' },
});
const preview: RingPreview = {
  calls: [call(1, 1, 'Ann'), call(2, 1, ''), call(1, 2, 'Ann'), call(2, 2, '')],
  ...{ rejection: null, status: 'failed', reason: 'loopsExhausted', endsAt: 124, isCut: false },
};
const guidances = {
  options: {
    g1: { name: 'Down', variables: ['host.name'] },
    g2: { name: 'Up', variables: [] },
  },
};

interface Options {
  line?: CallLine;
  language?: Language;
  /** Replies to the requests for a preview and for a call. */
  previewed?: object;
  called?: object;
}

async function draw({ line, language, previewed = { preview }, called = {} }: Options) {
  const posted: Record<string, unknown>[] = [];
  const page = await renderInRouter(<RingPreviewPanel callflowId="c1" guidance={guidances} line={line} />, {
    language,
    action: (form) => {
      posted.push(Object.fromEntries(form));
      return form.get(previewFields.intent) === callIntent ? called : previewed;
    },
  });
  const calls = () => posted.filter((form) => form[previewFields.intent] === callIntent);
  return { ...page, calls };
}

const open = async (options: Options = {}) => {
  const page = await draw({ line: 'sip', ...options });
  const label = options.language === 'ja' ? '発信' : 'Call';
  await page.user.click(screen.getByRole('button', { name: label }));
  const dialog = within(screen.getByRole('dialog'));
  return { ...page, dialog, confirm: dialog.getByRole<HTMLButtonElement>('button', { name: label }) };
};

test('names whom it will call before it does, calls once, and leads to the result', async () => {
  const page = await draw({ line: 'sip', called: { resultId: 'r1' } });
  await page.user.type(screen.getByLabelText('host.name'), 'db1');
  await page.user.click(screen.getByRole('button', { name: 'Call' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Start calling?' }));
  await waitFor(() => expect(dialog.queryAllByRole('listitem')).toHaveLength(2));
  const phones = dialog.getAllByRole('listitem').map((one) => one.textContent);
  expect(phones).toEqual(['Ann 0500000001', 'Unnamed contact 0500000002']);
  expect(dialog.getByText(/up to 2 times/)).toBeTruthy();
  expect(page.calls()).toEqual([]);
  const confirm = dialog.getByRole('button', { name: 'Call' });
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  await waitFor(() => expect(page.calls()).toHaveLength(1));
  fireEvent.click(confirm);
  await waitFor(() => expect(page.address()).toBe('/apps/pigeon/results/r1'));
  expect(page.calls()).toEqual([
    expect.objectContaining({
      [previewFields.callflowId]: 'c1',
      [previewFields.guidanceId]: 'g1',
      [previewFields.parameters]: JSON.stringify({ host: { name: 'db1' } }),
    }),
  ]);
});

test('parameters of another guidance are not sent', async () => {
  const page = await draw({ line: 'sip' });
  await page.user.type(screen.getByLabelText('host.name'), 'db1');
  await page.user.selectOptions(screen.getByLabelText('Guidance'), 'g2');
  expect(screen.queryByLabelText('host.name')).toBe(null);
  await page.user.click(screen.getByRole('button', { name: 'Call' }));
  const dialog = within(screen.getByRole('dialog'));
  await dialog.findByText('Ann');
  await page.user.click(dialog.getByRole('button', { name: 'Call' }));
  await waitFor(() => expect(page.calls()).toMatchObject([{ [previewFields.parameters]: '{}' }]));
});

test('a rejected chain says why; another try begins with another look', async () => {
  const problem = { kind: 'chain-rejected', title: 'Failed to invoke chain', detail: 'No line' };
  const { dialog, confirm, user, calls } = await open({ called: { problem, errors: {}, values: {} } });
  await dialog.findByText('Ann');
  await user.click(confirm);
  expect((await dialog.findByRole('alert')).textContent).toBe('Failed to invoke chain: No line');
  expect(confirm.disabled).toBe(true);
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Call' }));
  const again = within(screen.getByRole('dialog'));
  await again.findByText('Ann');
  expect(again.queryByRole('alert')).toBe(null);
  await user.click(again.getByRole('button', { name: 'Call' }));
  await waitFor(() => expect(calls()).toHaveLength(2));
});

test.each([
  [
    'is refused',
    {
      problem: { kind: 'chain-rejected', title: 'Failed to invoke chain', detail: 'Why' },
      errors: {},
      values: {},
    },
  ],
  ['is in quiet hours', { preview: { ...preview, rejection: 'Failed to invoke chain: Why' } }],
])('nobody is called when the preview %s', async (_what, previewed) => {
  const { dialog, confirm } = await open({ previewed });
  expect((await dialog.findByRole('alert')).textContent).toBe('Failed to invoke chain: Why');
  expect(confirm.disabled).toBe(true);
});

test.each([
  ['sip', 'en', 'Line: SIP. Real phones will ring, and calls can cost money.'],
  ['simulator', 'ja', '回線: シミュレーター。実際の発信は行いません。'],
  ['unknown', 'en', 'Unless the server uses the simulator, real phones will ring, and calls can cost money.'],
  ['none', 'ja', '回線が設定されていないため、発信できません'],
] as const)('says what the line %s means, in %s', async (line, language, text) => {
  const { dialog, confirm } = await open({ line, language });
  expect(dialog.getByText(text)).toBeTruthy();
  await dialog.findByText('Ann');
  expect(confirm.disabled).toBe(line === 'none');
});

test('a panel without a line starts no calls', async () => {
  await draw({});
  expect(screen.getByRole('button', { name: 'Preview' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Call' })).toBe(null);
});
