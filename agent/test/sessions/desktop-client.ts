// The frames with which IronRDP begins a session at freerdp-shadow, as it sent them, and the host's answers to each.
import { expect } from 'vitest';
import { FrameSplitter } from '../../src/session/rdp/frames.ts';
import { parseSendData } from '../../src/session/rdp/mcs.ts';
import { readServerMessage, type ServerMessage } from '../../src/session/rdp/share.ts';
import { connectInitialFrame } from './iron-rdp-frames.ts';
import type { TestViewer } from './test-viewer.ts';

const ioChannel = 1003;
const frames = {
  settings: connectInitialFrame,
  domain: '0300000c02f0800401000100',
  user: '0300000802f08028',
  channels: '0300000c02f08038000303ec0300000c02f08038000303eb',
  account: [
    '0300014102f08064000303eb708132400000000000000073014b000000020002000000000000002d0000002d00000000',
    '000000020014003100320037002e0030002e0030002e0031000000400043003a005c00570069006e0064006f00770073',
    '005c00530079007300740065006d00330032005c006d007300740073006300610078002e0064006c006c000000000000',
    '000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',
    '000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',
    '000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',
    '000000000000000000000000000000000000000000000000000000000086000000',
  ].join(''),
  capabilities: [
    '0300020002f08064000303eb7081f1f1011300ec03ec030100ea030800d90149524f4e52445000100000001a00080000',
    'c0200001001800000000000002000000000104000000000000000002001c002000010001000100200358020000010001',
    '00000e01000000030058000000000000000000000000000000000000000000010014000000010000000a000000000000',
    '000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004',
    '0028000000000000000000000000000000000000000000000000000000000000000000000000000d005800ffff000000',
    '00000004000000000000000c000000000000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000008000a000100200020000f000800000000',
    '001000340000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',
    '000000000011000c00000000000000000014000c0000000000000000000c000800000000001b00060003001c000c0052',
    '000000000000001d00410001122f777672bd6344afb3b73c9c6f788603290029000000000000001d000000c0cb080000',
    '000100c1cb1500000001c0cf0100080000014000000101041e00080014000000',
  ].join(''),
  // A licence request that offers no key: hosts without licences only wait for one.
  licence: '0300001b02f08064000303eb70800c800000001303080000000000',
  synchronize: '0300002402f08064000303eb701616001700ec03ec030100000204001f0000000100ec03',
  cooperate: '0300002802f08064000303eb701a1a001700ec03ec03010000020800140000000400000000000000',
  request: '0300002802f08064000303eb701a1a001700ec03ec03010000020800140000000100000000000000',
  fonts: '0300002802f08064000303eb701a1a001700ec03ec03010000020800270000000000000003000400',
};

/** What the host has said so far. */
export function framesOf({ output }: TestViewer): { kind: ServerMessage['kind']; frame: Buffer }[] {
  return new FrameSplitter()
    .add(output)
    .map((frame) => ({ kind: readServerMessage(frame, ioChannel).kind, frame }));
}

async function gets(viewer: TestViewer, kind: ServerMessage['kind'], count = 1): Promise<void> {
  await expect
    .poll(() => framesOf(viewer).filter((one) => one.kind === kind).length, { timeout: 20_000, interval: 20 })
    .toBeGreaterThanOrEqual(count);
}

/** Number that the host has given the client, from its Attach User Confirm. */
function userOf(viewer: TestViewer): number {
  const confirm = framesOf(viewer).find(({ frame }) => frame[0] === 3 && frame[7] === 0x2e)!;
  return confirm.frame.readUInt16BE(9);
}

/** xrdp wants an answer to its licence request; freerdp-shadow says that none is needed. */
function asksForLicence(viewer: TestViewer): boolean {
  const licence = framesOf(viewer).filter(({ kind }) => kind === 'other')[4]!;
  const sent = parseSendData(licence.frame);
  return sent?.data[0] === 0x80 && sent.data[4] === 1;
}

/** A recorded frame with that number in the place of the one that it was recorded with. */
function withUser(hex: string, user: number): string {
  const bytes = (value: number) => value.toString(16).padStart(4, '0');
  const channel = bytes(1001 + user);
  return hex
    .replaceAll('38000303ec', `38${bytes(user)}${channel}`)
    .replace(/(38|64)000303eb/g, `$1${bytes(user)}03eb`)
    .replaceAll('ec03', channel.slice(2) + channel.slice(0, 2));
}

/** Begins a session as the browser's client does, up to the first picture. */
export async function beginDesktop(viewer: TestViewer): Promise<void> {
  viewer.isDesktop = true;
  let user = 3;
  const send = (...names: (keyof typeof frames)[]) =>
    viewer.write(Buffer.from(names.map((name) => withUser(frames[name], user)).join(''), 'hex'));
  await send('settings');
  await gets(viewer, 'other');
  await send('domain', 'user');
  await gets(viewer, 'other', 2);
  user = userOf(viewer);
  await send('channels');
  await gets(viewer, 'other', 4);
  await send('account');
  await gets(viewer, 'other', 5);
  if (asksForLicence(viewer)) await send('licence');
  await gets(viewer, 'demand-active');
  await send('capabilities', 'synchronize', 'cooperate', 'request', 'fonts');
  await gets(viewer, 'font-map');
  await gets(viewer, 'picture');
}

/** A key that is pressed and released; `code` is its scan code. */
export const key = (code: number) => Buffer.from([0x04, 4, 0, code, 0x04, 4, 1, code]);
