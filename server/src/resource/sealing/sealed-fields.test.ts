// Which parts of settings and requests are encrypted at rest, and that readers get them back.
import { action } from '@yagura/core/alerthub/action';
import { scope } from '@yagura/core/alerthub/scope';
import { resources } from '@yagura/core/all';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import * as field from '@yagura/core/resource/field';
import { scanNotification } from '@yagura/core/sonar/scan-notification';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { deriveSecret } from '../../common/secrets/server-secret.ts';
import {
  createSealing,
  openAll,
  openBody,
  openRequest,
  type Sealing,
  sealBody,
  sealedKinds,
  sealOnce,
  sealRequest,
  sealStored,
} from './sealed-fields.ts';

const space = '0190a0a0-0000-7000-8000-000000000001';
/** Shows what is encrypted, and for which space. */
const visible: Sealing = {
  seal: (spaceId, text) => `sealed:1:${spaceId === space ? 'here' : 'elsewhere'} ${text}`,
  open: (spaceId, text) => text.replace(`sealed:1:${spaceId === space ? 'here' : 'elsewhere'} `, ''),
};
const sealed = (text: string) => visible.seal(space, text);
const secretUrl = 'https://example.com/?key=1';
const headers = { Authorization: 'Bearer a', 'Content-Type': 'text/plain', 'X-Empty': '', 'X-Number': 1 };
const sealedHeaders = { ...headers, Authorization: sealed('Bearer a') };
const webhook = (parameters: Record<string, unknown>) => ({ kind: 'webhook', parameters });

test('an encrypted text is read in its own space alone, and a plain one everywhere', () => {
  const sealing = createSealing(deriveSecret(Buffer.alloc(32)));
  const text = sealing.seal(space, 'pässword');
  expect(text).toMatch(/^sealed:1:[\w-]+$/);
  expect(text).not.toContain('word');
  expect(sealing.open(space, text)).toBe('pässword');
  expect(sealing.open('other', text)).toBe('');
  expect(createSealing(deriveSecret(Buffer.alloc(32, 1))).open(space, text)).toBe('');
  expect(sealing.open(space, 'sealed:1:damaged')).toBe('');
  expect(sealing.open(space, 'plain sealed:1:')).toBe('plain sealed:1:');
  expect(sealOnce(sealing, space, text)).toBe(text);
  expect(sealing.open(space, sealOnce(sealing, space, 'not sealed:1:'))).toBe('not sealed:1:');
});

test('of settings, addresses with a secret and headers are encrypted', () => {
  const body = { ...webhook({ url: secretUrl, headers, body: secretUrl }), displayName: secretUrl };
  const stored = { ...body, parameters: { url: sealed(secretUrl), headers: sealedHeaders, body: secretUrl } };
  expect(sealBody(visible, space, action, body)).toEqual(stored);
  expect(sealBody(visible, space, action, stored)).toEqual(stored);
  expect(sealStored(visible, space, 'action', body)).toEqual(stored);
  expect(openBody(visible, space, action, stored)).toEqual(body);
});

test.each([
  ['an address without a secret', webhook({ url: 'https://example.com/alerts' })],
  ['an empty address', webhook({ url: '' })],
  ['what is no text', webhook({ url: null, headers: null })],
  ['headers that are no object', webhook({ headers: 'text' })],
  ['headers that only describe the content', webhook({ headers: { Accept: '*/*' } })],
  ['a field of another kind', { kind: 'email', parameters: { url: secretUrl, headers } }],
  ['a kind that does not exist', { kind: 'unknown', parameters: { url: secretUrl } }],
  ['a field outside of the variant', { kind: 'webhook', url: secretUrl, headers }],
  ['absent parameters', { kind: 'webhook' }],
])('%s stays as it is', (_what, body) => {
  expect(sealBody(visible, space, action, body)).toEqual(body);
});

test('fields of objects and of the items of lists are encrypted as well', () => {
  const webhookOf = (url: string) => ({ kind: 'webhook', webhook: { url, headers: {} } });
  expect(sealBody(visible, space, scanNotification, webhookOf(secretUrl))).toEqual(
    webhookOf(sealed(secretUrl)),
  );
  const inLists = {
    input: z.object({
      steps: field.list(z.object({ url: field.url(), name: field.text() })),
      name: field.text(),
    }),
  } as unknown as AnyResource;
  const body = (url: string) => ({ steps: [{ url, name: secretUrl }, null, 'text'], name: secretUrl });
  expect(sealBody(visible, space, inLists, body(secretUrl))).toEqual(body(sealed(secretUrl)));
  expect(openBody(visible, space, inLists, body(sealed(secretUrl)))).toEqual(body(secretUrl));
  expect(sealedKinds([{ ...inLists, name: 'with-lists' } as AnyResource])).toEqual(['with-lists']);
});

test('the settings of a resource without such fields are neither encrypted nor decrypted', () => {
  const body = { displayName: sealed('text'), url: secretUrl, headers };
  expect(sealBody(visible, space, scope, body)).toBe(body);
  expect(openBody(visible, space, scope, body)).toBe(body);
});

test('headers alone are enough, but not a field that only has their name', () => {
  const withHeaders = { input: z.object({ headers: field.keyValues() }) } as unknown as AnyResource;
  expect(sealBody(visible, space, withHeaders, { headers })).toEqual({ headers: sealedHeaders });
  const namedSo = { input: z.object({ headers: field.text(), others: field.keyValues() }) };
  const body = { headers: 'Authorization', others: headers };
  expect(sealBody(visible, space, namedSo as unknown as AnyResource, body)).toBe(body);
});

test('the kinds with such fields are those with a webhook', () => {
  const kinds = ['action', 'kroker-notification', 'pigeon-notification-setting', 'scan-notification'];
  expect(sealedKinds(resources).toSorted()).toEqual(kinds);
});

test('of a request, the address and headers are encrypted, and nothing else is decrypted', () => {
  const request = { method: 'POST', url: secretUrl, headers, body: sealed('as the sender wrote it') };
  const stored = { ...request, url: sealed(secretUrl), headers: sealedHeaders };
  expect(sealRequest(visible, space, request)).toEqual(stored);
  expect(openRequest(visible, space, stored)).toEqual(request);
  const mail = { to: ['a@example.com'], text: sealed('text') };
  expect(sealRequest(visible, space, mail)).toEqual(mail);
  expect(Object.keys(openRequest(visible, space, mail))).toEqual(['to', 'text']);
  for (const none of [null, 'text', 1]) {
    expect(sealRequest(visible, space, none)).toBe(none);
    expect(openRequest(visible, space, none)).toBe(none);
  }
});

test('every encrypted text within a value is decrypted', () => {
  const value = (text: string) => [{ inner: [text, 1, null, true] }, text];
  expect(openAll(visible, space, value(sealed('text')))).toEqual(value('text'));
  expect(openAll(visible, 'other', value(sealed('text')))).toEqual(value(sealed('text')));
});
