import { expect, test } from 'vitest';
import { isPlainHttp, parseOrigin } from './origin.ts';

test.each([
  ['example.com', 'https://example.com'],
  ['https://example.com/apps?x#y', 'https://example.com'],
  ['http://example.com:8480', 'http://example.com:8480'],
  ['localhost:8480', 'http://localhost:8480'],
  ['127.0.0.1', 'http://127.0.0.1'],
  ['HTTPS://EXAMPLE.com', 'https://example.com'],
])('%s is at %s', (address, origin) => expect(parseOrigin(address)).toBe(origin));

test.each(['', 'ftp://x', 'https://', 'https://u:p@x', 'a b', 'javascript:alert(1)'])(
  '%j is refused',
  (address) => {
    expect(() => parseOrigin(address)).toThrow(expect.objectContaining({ messageKey: 'cli.usage.address' }));
  },
);

test.each([
  ['http://example.com', true],
  ['http://127.0.0.1.example.com', true],
  ['https://example.com', false],
  ['http://localhost:8480', false],
  ['http://127.0.0.1:8480', false],
  ['http://[::1]:8480', false],
])('%s can be read on the way: %s', (origin, bare) => expect(isPlainHttp(origin)).toBe(bare));
