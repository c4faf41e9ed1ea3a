import { expect, it } from 'vitest';
import { checkPaste, maxPasteLength } from './paste-guard.ts';

it.each([
  ['ls -l', { kind: 'paste', text: 'ls -l' }],
  ['a\tb', { kind: 'paste', text: 'a\tb' }],
  // The end of a bracketed paste, and keys.
  ['a\x1b[201~b\x03', { kind: 'paste', text: 'a[201~b' }],
  ['a\r\nb', { kind: 'ask', text: 'a\r\nb', lines: ['a', 'b'] }],
  ['rm x\n', { kind: 'ask', text: 'rm x\n', lines: ['rm x'] }],
  ['a\r\nb\r\n', { kind: 'ask', text: 'a\r\nb\r\n', lines: ['a', 'b'] }],
  ['\n', { kind: 'ask', text: '\n', lines: [''] }],
  ['x'.repeat(maxPasteLength + 1), { kind: 'too-long' }],
])('%j', (pasted, decision) => {
  expect(checkPaste(pasted)).toEqual(decision);
});
