// Frames of IronRDP and of hosts: what is changed in them, and what is refused.
import { serverLayouts } from '@yagura/core/greac/session-parameters';
import { continuesInNextFrame } from '@yagura/core/greac/stream/desktop-frames';
import { updateCodes } from '@yagura/core/greac/stream/desktop-updates';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectInitialFrame } from '../../../test/sessions/iron-rdp-frames.ts';
import { SessionError } from '../session-error.ts';
import { rewriteClientInfo, rewriteConnectInitial } from './client-settings.ts';
import { encodeUpdate, hasKeys, readUpdates, UpdateAssembler } from './fast-path.ts';
import { FrameSplitter } from './frames.ts';
import { clientBlocks, encodeSendDataRequest, ioChannelOf, parseSendData } from './mcs.ts';
import { paintedBy } from './picture/painted-area.ts';
import { bitmaps, corners, remoteFx, words } from './picture/test-updates.ts';
import { encodeRefresh, isFontList, readClientMessage, readServerMessage } from './share.ts';
import { parseConnectionConfirm } from './x224.ts';

const connectInitial = Buffer.from(connectInitialFrame, 'hex');

/** From the list of input locales by Microsoft (MS-LCID). */
const knownLocales: Record<string, number> = {
  ...{ 'en-us': 1033, 'en-gb': 2057, 'de-ch': 2055, 'de-de': 1031, 'fr-be': 2060, 'fr-fr': 1036 },
  ...{ 'fr-ch': 4108, 'hu-hu': 1038, 'it-it': 1040, 'ja-jp': 1041, 'pt-br': 1046, 'es-es': 1034 },
  ...{ 'es-latam': 2058, 'sv-se': 1053, 'tr-tr': 1055 },
};

/** Client Info as a client sends it: flags, then domain, user, password, shell and folder. */
function clientInfo(flags: number, texts: readonly string[]): Buffer {
  const bytes = texts.map((text) => Buffer.from(`${text}\0`, 'utf16le'));
  const header = Buffer.alloc(22);
  header.writeUInt16LE(0x40, 0);
  header.writeUInt32LE(flags, 8);
  for (const [index, text] of bytes.entries()) header.writeUInt16LE(text.length - 2, 12 + index * 2);
  const data = Buffer.concat([header, ...bytes, Buffer.from('the rest')]);
  return encodeSendDataRequest({ initiator: 1007, channel: 1003, data });
}

const account = { domain: 'SITE', username: 'ops', password: 'right-secret' };

test('the settings of the destination replace those of the browser', () => {
  const settings = { layout: 'ja-jp-qwerty', width: 1023, height: null, securityProtocol: 2 } as const;
  const changed = rewriteConnectInitial(connectInitial, settings);
  expect(changed.length).toBe(connectInitial.length);
  const core = clientBlocks(changed).get(0xc001)!;
  expect({
    size: [core.readUInt16LE(8), core.readUInt16LE(10)],
    keyboard: [core.readUInt32LE(16), core.readUInt32LE(56), core.readUInt32LE(60)],
    depth: core.readUInt16LE(140),
    wants32Bits: (core.readUInt16LE(144) & 2) !== 0,
    protocol: core.readUInt32LE(212),
  }).toEqual({
    size: [1022, 644],
    keyboard: [0x411, 7, 2],
    depth: 24,
    wants32Bits: true,
    protocol: 2,
  });
});

test.each(serverLayouts)('the layout %s is one that hosts know', (layout) => {
  const settings = { layout, width: null, height: null, securityProtocol: 1 };
  const block = clientBlocks(rewriteConnectInitial(connectInitial, settings)).get(0xc001)!;
  const [language, region] = layout.split('-') as [string, string];
  const known = knownLocales[`${language}-${region}`];
  expect(block.readUInt32LE(16)).toBe(known);
  // Only the Japanese keyboard has other keys.
  expect(block.readUInt32LE(56)).toBe(layout.startsWith('ja') ? 7 : 4);
});

test('the account is put in, and compression and side effects of the browser are not', () => {
  const sent = clientInfo(0x0010 | 0x0080 | 0x0200, ['', '-', '-', 'shell', 'folder']);
  const { data } = parseSendData(rewriteClientInfo(sent, account))!;
  expect(data.readUInt32LE(8)).toBe(0x0010 | 0x0008);
  const texts = ['SITE', 'ops', 'right-secret', 'shell', 'folder'].map((text) => `${text}\0`).join('');
  expect(data.subarray(22, -8).toString('utf16le')).toBe(texts);
  expect(data.subarray(-8).toString()).toBe('the rest');
  const unsigned = parseSendData(rewriteClientInfo(clientInfo(0x0018, ['', '-', '', '', '']), null))!;
  // Without an account, the host asks.
  expect(unsigned.data.readUInt32LE(8)).toBe(0x0010);
});

test('frames come out whole, however the stream is cut', () => {
  const frames = [connectInitial, Buffer.from([0x04, 0x05, 1, 2, 3]), Buffer.from([0x00, 0x80, 0x04, 9])];
  const stream = Buffer.concat(frames);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 8 }), (cuts) => {
      const splitter = new FrameSplitter();
      const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
      const out = places.slice(1).flatMap((end, index) => splitter.add(stream.subarray(places[index], end)));
      expect(out).toEqual(frames);
    }),
  );
});

test.each([0, 5, 0x3fff, 0x4000, 100_000])('an update of %i bytes is put together again', (length) => {
  const data = Buffer.alloc(length, 'update');
  const frames = encodeUpdate(updateCodes.newPointer, data);
  const assembler = new UpdateAssembler();
  const updates = new FrameSplitter().add(Buffer.concat(frames)).flatMap(readUpdates);
  expect(updates.map(({ code }) => code)).toEqual(frames.map(() => updateCodes.newPointer));
  const complete = updates.map((update) => [assembler.add(update), assembler.isInside] as const);
  expect(complete.map(([whole]) => whole?.equals(data) ?? null)).toEqual([
    ...frames.slice(1).map(() => null),
    true,
  ]);
  expect(frames.map(continuesInNextFrame)).toEqual(complete.map(([, isInside]) => isInside));
});

/** What xrdp 0.9.21 says about its desktop, of 1280 by 644 pixels. */
const demandActive = Buffer.from(
  [
    '030001a902f08068000403eb70819a9a011100ed03ea03010004008401524450000d00000009000800ed03b5e20100180001',
    '0003000002000000000104000000000000010102001c002000010001000100000584020000010001000000000000000e0004',
    '00030058000000000000000000000000000000000040420f0001001400000001002f00220001010101000000000100010000',
    '00000000000100000000000000000100000000a106020040420f0040420f0001000000000000001d005d0004b91b8dca0f00',
    '4f15589fae2d1a87e2d6010300010103122f777672bd6344afb3b73c9c6f788600040000000000d4cc44278a9d744e803c0e',
    'cbeea19c5400040000000000e64caf1bed9e0c43869acb8b37b662370001004b0a0008000600000008000a00010019001900',
    '0d0058003d010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',
    '000000000000000000000000000000000000000000000000000000000000000000000000000006000500001a000800004037',
    '001e000800020000001c000c00520000000000000000000000',
  ].join(''),
  'hex',
);

test("the host's desktop is read from its capabilities", () => {
  const desktop = { kind: 'demand-active', shareId: 0x1_03ea, width: 1280, height: 644 };
  expect(readServerMessage(demandActive, 1003)).toEqual({ ...desktop, takesText: true });
  const silent = Buffer.from(demandActive);
  // The flags of the input capability.
  const flags = silent.indexOf(Buffer.from('0d005800', 'hex')) + 4;
  silent.writeUInt16LE(silent.readUInt16LE(flags) & ~0x10, flags);
  expect(readServerMessage(silent, 1003)).toEqual({ ...desktop, takesText: false });
});

/** Everything that reads bytes of a host or of a viewer. */
const readers: Record<string, (bytes: Buffer) => unknown> = {
  splitter: (bytes) => new FrameSplitter().add(bytes),
  confirm: (bytes) => parseConnectionConfirm(bytes, 3),
  settings: (bytes) =>
    rewriteConnectInitial(bytes, { layout: 'en-us-qwerty', width: 1, height: 1, securityProtocol: 1 }),
  account: (bytes) => rewriteClientInfo(bytes, account),
  ioChannel: ioChannelOf,
  server: (bytes) => readServerMessage(bytes, 1003),
  client: (bytes) => readClientMessage(bytes, 1003),
  fontList: isFontList,
  updates: readUpdates,
  bitmaps: (bytes) => paintedBy(updateCodes.bitmap, bytes),
  surface: (bytes) => paintedBy(updateCodes.surface, bytes),
  keys: hasKeys,
};

test('altered lengths are refused with a reason, never read beyond', () => {
  const share = (...body: number[]) =>
    encodeSendDataRequest({ initiator: 1007, channel: 1003, data: Buffer.from(body) });
  const samples = [
    connectInitial,
    demandActive,
    clientInfo(0x10, ['', '-', '-', '', '']),
    encodeRefresh({ initiator: 1007, ioChannel: 1003, shareId: 1, width: 800, height: 600 }),
    Buffer.from('0300001300d000001234000200080002000000', 'hex'),
    Buffer.from([0x04, 0x08, 0x00, 0x1e, 0x20, 0x01, 0x00, 0x02]),
    bitmaps(corners(0, 0, 9, 9)),
    remoteFx({ left: 0, top: 0, right: 100, bottom: 100 }, [words(0, 0, 9, 9)], [words(0, 0)]),
    share(...[20, 0, 0x11, 0, 1, 0, 1, 0, 0, 0], ...[4, 0, 8, 0, 1, 2, 3, 4, 1, 0]),
  ];
  const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) });
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(change, { maxLength: 4 }),
      fc.nat(),
      (sample, changes, end) => {
        const bytes = Buffer.from(sample);
        for (const { at, value } of changes) bytes[at % bytes.length] = value;
        const cut = bytes.subarray(0, end % 3 === 0 ? end % bytes.length : bytes.length);
        for (const [name, read] of Object.entries(readers))
          try {
            read(cut);
          } catch (error) {
            expect([name, error instanceof SessionError]).toEqual([name, true]);
          }
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  ['a fast-path update longer than its frame', () => readUpdates(Buffer.from([0, 6, 1, 9, 0, 0]))],
  ['input without an end', () => hasKeys(Buffer.from([0x08, 4, 0, 0x1e]))],
  ['input of an unknown kind', () => hasKeys(Buffer.from([0x04, 4, 0xe0, 0]))],
  ['a frame of no length', () => new FrameSplitter().add(Buffer.from([3, 0, 0, 4]))],
  ['what is no frame', () => new FrameSplitter().add(Buffer.from('SSH-2.0-x'))],
  ['a host without TLS', () => parseConnectionConfirm(Buffer.from('0300000b06d00000123400', 'hex'), 3)],
  [
    'Client Info that is none',
    () =>
      rewriteClientInfo(
        encodeRefresh({ initiator: 1001, ioChannel: 1003, shareId: 1, width: 9, height: 9 }),
        account,
      ),
  ],
])('%s is refused', (_, read) => {
  expect(read).toThrow('PROTOCOL');
});

test('bitmaps outside of the fast path are an update', () => {
  const update = bitmaps(corners(0, 0, 9, 9));
  const header = [...words(18 + update.length, 0x17, 1007), 1, 0, 0, 0, 0, 1, ...words(0), 2, 0, ...words(0)];
  const data = Buffer.concat([Buffer.from(header), update]);
  const frame = encodeSendDataRequest({ initiator: 1007, channel: 1003, data });
  expect(readServerMessage(frame, 1003)).toEqual({ kind: 'update', data: update });
  expect(readServerMessage(frame, 1004)).toEqual({ kind: 'foreign' });
});

test('only a message of the channel for input counts, and keys are told from the pointer', () => {
  const refresh = encodeRefresh({ initiator: 1007, ioChannel: 1003, shareId: 1, width: 800, height: 600 });
  expect([readClientMessage(refresh, 1003), readClientMessage(refresh, 1004)]).toEqual([
    'foreign',
    'foreign',
  ]);
  // One key, then one move of the pointer.
  expect(hasKeys(Buffer.from([0x04, 4, 0, 0x1e]))).toBe(true);
  expect(hasKeys(Buffer.from([0x04, 9, 0x20, 0, 8, 1, 0, 1, 0]))).toBe(false);
});
