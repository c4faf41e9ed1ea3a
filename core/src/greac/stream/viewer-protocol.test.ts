import { expect, test } from 'vitest';
import { streamCodeName, streamCodes } from './gateway-protocol.ts';
import { decodeFileBody, decodeViewerMessage, encodeFileMessage } from './viewer-protocol.ts';

test('a file message has its type, the number of the transfer and the content', () => {
  const bytes = encodeFileMessage(0x0102_0304, Uint8Array.of(9, 8));
  expect([...bytes]).toEqual([2, 1, 2, 3, 4, 9, 8]);
  const { type, body } = decodeViewerMessage(bytes)!;
  expect(type).toBe('file');
  expect(decodeFileBody(body)).toEqual({ transfer: 0x0102_0304, content: Uint8Array.of(9, 8) });
});

test('the body of a file message has at least the number of the transfer', () => {
  expect(decodeFileBody(Uint8Array.of(0, 0, 1))).toBeNull();
  expect(decodeFileBody(Uint8Array.of(0, 0, 0, 1))).toEqual({ transfer: 1, content: new Uint8Array() });
});

test('every stream code is found by its number', () => {
  for (const [name, code] of Object.entries(streamCodes)) expect(streamCodeName(code)).toBe(name);
  expect([0, 255, null].map(streamCodeName)).toEqual([undefined, undefined, undefined]);
});
