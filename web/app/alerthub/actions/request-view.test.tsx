import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { RequestView } from './request-view.tsx';

it('shows a mail as its receiver reads it', async () => {
  const request = {
    to: [
      { name: '当番\r\n1班', email: 'duty@example.com' },
      { name: '', email: 'noc@example.com' },
    ],
    cc: [],
    bcc: [],
    subject: '【異常】Shop',
    text: 'First line\nSecond "line"',
    emailActionSenderSettingId: null,
  };
  const { container } = await renderInRouter(<RequestView request={request} />, { language: 'ja' });
  expect(container.querySelector('pre')?.textContent).toBe('First line\nSecond "line"');
  expect(screen.getByText('【異常】Shop')).toBeTruthy();
  expect(screen.getByText('当番 1班 <duty@example.com>, noc@example.com')).toBeTruthy();
  expect(screen.queryByText('Cc')).toBeNull();
});

it.each([
  ['a text', 'level: 3\nhost: web', 'level: 3\nhost: web'],
  ['broken JSON', '{"level": 3', '{"level": 3'],
])('shows the body of a webhook that is %s as it is', async (_what, body, text) => {
  const request = { url: 'https://example.com/hook', method: 'PUT', headers: { 'x-a': 'b' }, body };
  const { container } = await renderInRouter(<RequestView request={request} />);
  expect(container.querySelector('pre')?.textContent).toBe(text);
  expect(screen.getByText('PUT')).toBeTruthy();
  expect(screen.getByText('x-a: b')).toBeTruthy();
});

it('shows the body of a webhook that is JSON as data', async () => {
  const request = { url: 'https://example.com/', method: 'POST', headers: {}, body: '{"text":"a\\nb"}' };
  const { container } = await renderInRouter(<RequestView request={request} />);
  expect(container.querySelector('pre')).toBeNull();
  expect(container.querySelector('section')?.textContent).toContain('"text"');
});

it('shows other requests as data', async () => {
  const { container } = await renderInRouter(<RequestView request={{ callflowId: 'c' }} />);
  expect(container.textContent).toContain('callflowId');
});
