// The client's side of the clipboard, against a host's messages.
import { maxClipboardText } from '@yagura/core/greac/stream/viewer-protocol';
import { expect, test } from 'vitest';
import { Clipboard } from './clipboard.ts';

function message(type: number, flags: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(flags, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

const capabilities = message(
  7,
  0,
  Buffer.from('010000000100 0c00 02000000 02000000'.replaceAll(' ', ''), 'hex'),
);
const ready = message(1, 0);
const textFormat = Buffer.from('0d0000000000', 'hex');
const fileFormat = Buffer.concat([Buffer.from('aac00000', 'hex'), Buffer.from('FileContents\0', 'utf16le')]);
const text = (value: string) => message(5, 1, Buffer.from(`${value}\0`, 'utf16le'));
const asksForText = message(4, 0, Buffer.from('0d000000', 'hex'));

function open(rules = { mayCopy: true, mayPaste: true }) {
  const sent: Buffer[] = [];
  const told: unknown[] = [];
  const events = { copied: (copied: string | null) => told.push(copied), taken: () => told.push('taken') };
  const clipboard = new Clipboard(rules, events as never, (bytes) => sent.push(bytes));
  clipboard.receive(capabilities);
  clipboard.receive(ready);
  sent.length = 0;
  return { clipboard, told, sent, types: () => sent.splice(0).map((bytes) => bytes.readUInt16LE(0)) };
}

test('text is asked for when the desktop has some, and nothing else is', () => {
  const { clipboard, told, types } = open();
  clipboard.receive(message(2, 0, fileFormat));
  expect(types()).toEqual([3]);
  clipboard.receive(message(2, 0, Buffer.concat([fileFormat, textFormat])));
  expect(types()).toEqual([3, 4]);
  // Copied again before the answer: only the newer text counts.
  clipboard.receive(message(2, 0, textFormat));
  clipboard.receive(text('old'));
  clipboard.receive(text('two\r\nlines'));
  expect(told).toEqual(['two\nlines']);
  // What was not asked for is not taken.
  clipboard.receive(text('pushed'));
  expect(told).toHaveLength(1);
});

test('a text is given once it was offered, until the desktop has another', () => {
  const { clipboard, told, sent, types } = open();
  clipboard.receive(asksForText);
  expect(sent[0]!.readUInt16LE(2)).toBe(2);
  expect(clipboard.offer('a\nb\0')).toBe(null);
  clipboard.receive(message(3, 1));
  expect(told).toEqual(['taken']);
  sent.length = 0;
  clipboard.receive(asksForText);
  expect(sent[0]!.subarray(8).toString('utf16le')).toBe('a\r\nb\0');
  clipboard.receive(message(4, 0, Buffer.from('01000000', 'hex')));
  expect(sent[1]!.readUInt16LE(2)).toBe(2);
  clipboard.receive(message(2, 0, fileFormat));
  types();
  clipboard.receive(asksForText);
  expect([sent[0]!.readUInt16LE(0), sent[0]!.readUInt16LE(2)]).toEqual([5, 2]);
});

test('what is forbidden or too long is not passed on', () => {
  const onlyPaste = open({ mayCopy: false, mayPaste: true });
  onlyPaste.clipboard.receive(message(2, 0, textFormat));
  expect(onlyPaste.types()).toEqual([3]);
  onlyPaste.clipboard.receive(text('secret'));
  expect(onlyPaste.told).toEqual([]);
  expect(onlyPaste.clipboard.offer('x'.repeat(maxClipboardText + 1))).toBe('too-long');

  const onlyCopy = open({ mayCopy: true, mayPaste: false });
  expect(onlyCopy.clipboard.offer('secret')).toBe('not-allowed');
  onlyCopy.clipboard.receive(asksForText);
  expect(onlyCopy.sent.map((bytes) => bytes.toString('hex'))).toEqual(['0500020000000000']);
  onlyCopy.clipboard.receive(message(2, 0, textFormat));
  onlyCopy.clipboard.receive(null);
  expect(onlyCopy.told).toEqual([null]);
});

test.each([
  ['a message longer than it is', Buffer.from('0500010009000000', 'hex')],
  ['a format without an end', message(2, 0, Buffer.from('0d00000041', 'hex'))],
  ['capabilities without a body', message(7, 0, Buffer.from('0100', 'hex'))],
])('%s is refused', (_, bytes) => {
  expect(() => open().clipboard.receive(bytes)).toThrow('PROTOCOL');
});
