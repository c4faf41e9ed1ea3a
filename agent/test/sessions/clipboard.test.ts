// The clipboard of a desktop: both ways at xrdp, and what the destination does not allow.
import { clipboardMessages } from '@yagura/core/greac/stream/viewer-protocol';
import { Decrypter } from 'age-encryption';
import { expect, test } from 'vitest';
import { beginDesktop } from './desktop-client.ts';
import { afterTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { hasXrdp, startRealXrdp } from './real-xrdp.ts';
import type { TestViewer } from './test-viewer.ts';

const shiftInsert = Buffer.from([0x10, 10, 0, 0x2a, 2, 0x52, 3, 0x52, 1, 0x2a]);
/** The channel server joins a little later. */
const whenJoined = { timeout: 20_000, interval: 250 };
const texts = { pasted: '貼り付け: café', copied: 'コピーした文字' };
const setsClipboard = (text: string) => `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`;

async function offer(viewer: TestViewer, text: string): Promise<void> {
  for (const message of clipboardMessages(text)) await viewer.control(message);
}

async function startSite() {
  const xrdp = await startRealXrdp();
  afterTest(() => xrdp.close());
  const gateway = await startGatewayUnderTest();
  const account = { credentialType: 'password', username: 'ops', password: 'right-secret' };
  const credential = await gateway.credential(account as never);
  const join = async (order: object, mode: 'control' | 'watch' = 'control') => {
    const sessionId = gateway.open({ protocol: 'rdp', port: xrdp.port, credential, ...order });
    const viewer = await gateway.attach(sessionId, { mode });
    await viewer.gets('state', { state: 'connected' });
    await beginDesktop(viewer);
    return { sessionId, viewer };
  };
  return { xrdp, gateway, join };
}

test.skipIf(!hasXrdp)(
  'text is pasted and copied, and only its length is recorded',
  { timeout: 60_000 },
  async () => {
    const { xrdp, gateway, join } = await startSite();
    const { sessionId, viewer: hana } = await join({ recording: await gateway.recording() });
    const ken = await gateway.attach(sessionId, { mode: 'watch', displayName: 'Ken' });
    await ken.gets('state', { state: 'connected' });
    await expect
      .poll(async () => {
        await offer(hana, texts.pasted);
        return hana.controls.some(({ type }) => type === 'clipboard-taken');
      }, whenJoined)
      .toBe(true);
    // xrdp answers before the desktop's programs can paste, so that the first keys may be too early.
    await expect
      .poll(async () => {
        if (xrdp.typed() === '') await hana.write(shiftInsert);
        return xrdp.typed();
      }, whenJoined)
      .toMatch(new RegExp(`^(${texts.pasted})+$`));
    xrdp.show(setsClipboard(texts.copied));
    await hana.gets('clipboard', { text: texts.copied, isLast: true });
    await offer(ken, 'of a watcher');
    await ken.gets('clipboard-refused', { reason: 'not-allowed' });
    expect(ken.controls.some(({ type }) => type === 'clipboard')).toBe(false);

    gateway.server.send({ type: 'close', sessionId });
    const part = () => [...gateway.server.parts.values()][0];
    await expect.poll(() => part()?.sealed !== undefined).toBe(true);
    const decrypter = new Decrypter();
    decrypter.addIdentity(gateway.logIdentity);
    const log = new TextDecoder().decode(await decrypter.decrypt(Buffer.concat(part()!.chunks)));
    const events = log
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line));
    const recorded = events.filter(([, code]) => code === 'c').map(([, , data]) => data);
    expect(recorded.at(0)).toBe(`pasted ${texts.pasted.length} Hana`);
    expect(new Set(recorded)).toEqual(
      new Set([`pasted ${texts.pasted.length} Hana`, `copied ${texts.copied.length} Hana`]),
    );
    const frames = events.filter(([, code]) => code === 'o').map(([, , data]) => Buffer.from(data, 'base64'));
    const seen = [...gateway.server.wire, ...frames, Buffer.from(JSON.stringify(gateway.lines))];
    for (const text of Object.values(texts))
      for (const encoding of ['utf8', 'utf16le'] as const)
        expect(seen.some((bytes) => bytes.includes(Buffer.from(text, encoding)))).toBe(false);
  },
);

test.skipIf(!hasXrdp)(
  'the gateway passes on nothing that the destination forbids',
  { timeout: 60_000 },
  async () => {
    const { xrdp, join } = await startSite();
    const { viewer: copying } = await join({ parameters: { disablePaste: true } });
    await offer(copying, texts.pasted);
    await copying.gets('clipboard-refused', { reason: 'not-allowed' });
    await expect
      .poll(() => {
        xrdp.show(setsClipboard(texts.copied));
        return copying.controls.some(({ type }) => type === 'clipboard');
      }, whenJoined)
      .toBe(true);
    await copying.write(shiftInsert);
    await expect.poll(() => xrdp.typed()).toBe(texts.copied);
  },
);
