import { describe, expect, test } from 'vitest';
import {
  CreditWindow,
  decodeFrame,
  encodeCredit,
  encodeFrame,
  encodeReset,
  forwardFrame,
  readCredit,
  readReset,
  streamLimits,
} from './frame.ts';

describe('a frame', () => {
  test('is read as it was written', () => {
    const payload = Uint8Array.of(1, 2, 3);
    expect(decodeFrame(encodeFrame('data', 0xffff_fffe, payload))).toMatchObject({
      kind: 'data',
      channel: 0xffff_fffe,
      payload,
    });
    expect(readCredit(decodeFrame(encodeCredit(7, 4_000_000_000))!)).toBe(4_000_000_000);
    expect(readReset(decodeFrame(encodeReset(7, 65_535))!)).toBe(65_535);
  });

  test.each([
    ['alone', 0, true],
    ['together with much else', 10_000, false],
  ])('that was received %s goes to another channel', (_how, others, isInPlace) => {
    const frame = encodeFrame('data', 7, Uint8Array.of(1, 2, 3));
    const memory = new Uint8Array(others + frame.length);
    memory.set(frame, others);
    const forwarded = forwardFrame(decodeFrame(memory.subarray(others))!, 0xffff_fffe);
    expect(forwarded).toEqual(encodeFrame('data', 0xffff_fffe, Uint8Array.of(1, 2, 3)));
    expect(forwarded.buffer === memory.buffer).toBe(isInPlace);
    expect(forwarded.buffer.byteLength).toBeLessThan(100);
  });

  test.each([
    ['too short', Uint8Array.of(1, 0, 0, 0)],
    ['of an unknown kind', Uint8Array.of(9, 0, 0, 0, 1)],
    ['with too long a payload', encodeFrame('data', 1, new Uint8Array(streamLimits.payload + 1))],
    ['with too long a control message', encodeFrame('control', 0, new Uint8Array(streamLimits.control + 1))],
  ])('that is %s is refused', (_what, bytes) => {
    expect(decodeFrame(bytes)).toBeNull();
  });

  test('of credit or reset needs a payload of the right length', () => {
    const frame = { channel: 1, payload: Uint8Array.of(1, 2, 3) };
    expect([readCredit({ kind: 'credit', ...frame }), readReset({ kind: 'reset', ...frame })]).toEqual([
      null,
      null,
    ]);
  });
});

test('no more is sent than there is credit for', () => {
  const window = new CreditWindow();
  expect(window.use(streamLimits.credit)).toBe(true);
  expect(window.use(1)).toBe(false);
  expect(window.add(10)).toBe(true);
  expect([window.use(10), window.available]).toEqual([true, 0]);
  expect(window.add(65 * streamLimits.credit)).toBe(false);
});
