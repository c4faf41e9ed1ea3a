import { expect, test } from 'vitest';
import { parseSmtpUrl } from './smtp-url.ts';

test.each([
  [
    'smtp://mail.example',
    { host: 'mail.example', port: 587, secure: false, starttls: 'offered', auth: null },
  ],
  ['smtp://mail.example:25?starttls=never', { port: 25, starttls: 'never' }],
  ['smtp://mail.example?starttls=required', { starttls: 'required' }],
  ['smtp://u:p@mail.example', { starttls: 'required', auth: { user: 'u', pass: 'p' } }],
  ['smtp://u:p@mail.example?starttls=never', { starttls: 'never' }],
  [
    'smtps://u%40x.example:p%3A%2F@mail.example/',
    { port: 465, secure: true, auth: { user: 'u@x.example', pass: 'p:/' } },
  ],
  ['smtp://[::1]:2525', { host: '::1', port: 2525 }],
])('%s', (text, server) => {
  expect(parseSmtpUrl(text)).toMatchObject(server);
});

test.each([
  'mail.example',
  'http://mail.example',
  'smtp://',
  'smtp://mail.example:99999',
  'smtp://mail.example/inbox',
  'smtp://mail.example#x',
  'smtp://mail.example?starttls=maybe',
  'smtp://mail.example?tls.rejectUnauthorized=false',
  'smtp://u:s3cret%zz@mail.example',
])('%s is refused without repeating it', (text) => {
  expect(() => parseSmtpUrl(text)).toThrow(/^The (SMTP URL|setting starttls)/);
  expect(() => parseSmtpUrl(text)).not.toThrow(/s3cret/);
});
