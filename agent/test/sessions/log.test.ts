// Recordings: what is in them, what is not, and what is left of them after interruptions.
import { Decrypter } from 'age-encryption';
import { expect, test } from 'vitest';
import { afterTest, type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { hasSshd, startRealSshd } from './real-sshd.ts';
import { isSealValid, type StoredPart } from './test-gateway-server.ts';
import type { TestViewer } from './test-viewer.ts';

const within = { timeout: 120_000 };

async function decrypt(gateway: GatewayUnderTest, part: StoredPart): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(gateway.logIdentity);
  return new TextDecoder().decode(await decrypter.decrypt(new Uint8Array(Buffer.concat(part.chunks))));
}

/** Decrypted parts of one kind, in order, once all of them have their end. */
async function readLog(gateway: GatewayUnderTest, sessionId: string, kind: string): Promise<string[]> {
  const parts = () =>
    [...gateway.server.parts]
      .filter(([key]) => key.startsWith(`${sessionId} ${kind} `))
      .sort(([a], [b]) => Number(a.split(' ')[2]) - Number(b.split(' ')[2]))
      .map(([, part]) => part);
  await expect.poll(() => parts().length > 0 && parts().every(({ sealed }) => sealed), within).toBe(true);
  return Promise.all(parts().map((part) => decrypt(gateway, part)));
}

async function startRecordedSession(
  options: Parameters<typeof startGatewayUnderTest>[0] = {},
  strict = false,
) {
  const sshd = await startRealSshd();
  afterTest(() => sshd.close());
  const gateway = await startGatewayUnderTest(options);
  const credential = await gateway.credential(sshd.credential);
  const order = { port: sshd.port, credential, recording: await gateway.recording(strict) };
  const sessionId = gateway.open(order);
  const viewer = await gateway.attach(sessionId);
  await viewer.gets('state', { state: 'connected' });
  return { gateway, sessionId, viewer, order };
}

/** Makes the shell say nothing but the output of commands. */
async function silence(viewer: TestViewer): Promise<void> {
  await viewer.type('stty -echo; PS1=; echo silent-$((6*7))\r');
  await viewer.sees(/^silent-42$/m);
}

const signingKey = (gateway: GatewayUnderTest) => {
  const hello = gateway.server.messages.find((message) => message.type === 'hello');
  return hello!.signingKey;
};

test.skipIf(!hasSshd)(
  'text and video log say what was shown and who typed, never what was typed',
  within,
  async () => {
    const { gateway, sessionId, viewer } = await startRecordedSession();
    await viewer.control({ type: 'resize', columns: 90, rows: 20 });
    await silence(viewer);
    await viewer.type('cat > /dev/null\r');
    await viewer.type('typed-but-not-shown\r\x04');
    await viewer.type(
      'printf "\\346\\253"; sleep 0.2; printf "\\223 \\033]52;c;Y29weQ==\\007shown-%d\\n" 42\r',
    );
    await viewer.sees('櫓 shown-42');
    await viewer.type('exit\r');
    const [text, ...moreText] = await readLog(gateway, sessionId, 'text');
    const [video, ...moreVideo] = await readLog(gateway, sessionId, 'video');
    expect([moreText, moreVideo]).toEqual([[], []]);
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z\t.*櫓 shown-42$/m);
    const [header, ...events] = video!
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header).toMatchObject({ version: 3, term: { cols: 80, rows: 24 } });
    expect(events).toContainEqual([expect.any(Number), 'r', '90x20']);
    expect(events).toContainEqual([expect.any(Number), 'm', 'Hana']);
    const shown = events.filter(([, code]) => code === 'o').map(([, , data]) => data);
    expect(shown.join('')).toContain('櫓 shown-42');
    expect(shown.join('')).not.toContain('\ufffd');
    for (const log of [text, video]) {
      expect(log).not.toContain('typed-but-not-shown');
      expect(log).not.toContain('Y29weQ');
    }
    for (const [key, part] of gateway.server.parts) {
      expect([key, isSealValid(part, signingKey(gateway))]).toEqual([key, true]);
      const altered = { ...part, chunks: part.chunks.map((chunk) => Buffer.from(chunk)) };
      altered.chunks[0]![300]! ^= 1;
      expect(isSealValid(altered, signingKey(gateway))).toBe(false);
    }
  },
);

test.skipIf(!hasSshd)('a flood is recorded whole while its viewer hangs and goes', within, async () => {
  const { gateway, sessionId, viewer } = await startRecordedSession();
  const bytes = 10_000_000;
  await silence(viewer);
  viewer.hangs = true;
  await viewer.type(`yes 0123456789abcdef0123456789abcd | head -c ${bytes}; echo; echo end-$((6*7))\r`);
  await expect
    .poll(() => gateway.server.wire.reduce((sum, { length }) => sum + length, 0), within)
    .toBeGreaterThan(200_000);
  viewer.leave(sessionId);
  const next = await gateway.attach(sessionId, { mode: 'watch' });
  await expect.poll(() => next.screen(), within).toContain('end-42');
  gateway.server.send({ type: 'close', sessionId });
  const video = (await readLog(gateway, sessionId, 'video')).join('');
  const shown = video
    .split('\n')
    .flatMap((line) => (line.startsWith('[') ? [JSON.parse(line)[2] as string] : []))
    .join('');
  expect(shown.split('0123456789abcdef0123456789abcd').length - 1).toBe(Math.floor(bytes / 31));
  await readLog(gateway, sessionId, 'text');
  for (const part of gateway.server.parts.values()) expect(isSealValid(part, signingKey(gateway))).toBe(true);
});

test.skipIf(!hasSshd)(
  'logs wait in the spool for the server, and a new part begins in time',
  within,
  async () => {
    const { gateway, sessionId, viewer } = await startRecordedSession({ limits: { flushMs: 50 } });
    for (const word of ['one', 'two']) {
      const sealed = gateway.server.messages.filter(({ type }) => type === 'sealed').length;
      await viewer.type(`echo ${word}-$((6*7))\r`);
      await viewer.sees(`${word}-42`);
      await expect
        .poll(() => gateway.server.messages.filter(({ type }) => type === 'sealed').length, within)
        .toBeGreaterThan(sealed);
    }
    gateway.server.drop();
    await gateway.server.next('hello');
    const back = await gateway.attach(sessionId);
    await back.type('echo three-$((6*7)); exit\r');
    await gateway.server.next('ended');
    await expect
      .poll(async () => (await readLog(gateway, sessionId, 'text')).join(''), within)
      .toMatch(/one-42[\s\S]*two-42[\s\S]*three-42/);
  },
);

test.skipIf(!hasSshd)('a session that must be recorded ends when it cannot be', within, async () => {
  const { gateway, order } = await startRecordedSession();
  gateway.server.messages.length = 0;
  const recording = { ...order.recording, publicKey: 'age1broken', strict: true };
  gateway.open({ ...order, recording });
  expect(await gateway.server.next('failed')).toMatchObject({ code: 'RECORDING_FAILED' });
  const unrecorded = gateway.open({ ...order, recording: { ...recording, strict: false } });
  const viewer = await gateway.attach(unrecorded);
  await viewer.gets('state', { state: 'connected' });
  await viewer.gets('recording', { isRecording: false });
});
