// Recordings: what is in them, what is not, and what is left of them after interruptions.
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { afterTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { hasSshd, startRealSshd } from './real-sshd.ts';
import { endOf, readLog, signingKey, silence, startRecordedSession } from './recorded-session.ts';
import { isSealValid } from './test-gateway-server.ts';

const within = { timeout: 120_000 };

test.skipIf(!hasSshd)(
  'text and video log say what was shown and who typed, never what was typed',
  within,
  async () => {
    const { gateway, sessionId, viewer } = await startRecordedSession();
    await viewer.control({ type: 'resize', columns: 90, rows: 20 });
    await silence(viewer);
    // Bash itself would read what arrives before it has given the terminal to cat.
    await viewer.type('echo cat-$((6*7)); cat > /dev/null; echo over-$((6*7))\r');
    await viewer.sees(/^cat-42$/m);
    await viewer.type('typed-but-not-shown\r\x04');
    await viewer.sees(/^over-42$/m);
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
    for (const kind of ['text', 'video']) expect(await endOf(gateway, sessionId, kind)).toBe('ended valid');
  },
);

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
    expect(await endOf(gateway, sessionId, 'text')).toBe('ended valid');
    expect(gateway.server.ends.get(`${sessionId} text`)!.parts).toBeGreaterThan(2);
  },
);

test.skipIf(!hasSshd)('a site that names log keys is recorded to none but these', within, async () => {
  const identity = await generateIdentity();
  const logKey = await identityToRecipient(identity);
  const sshd = await startRealSshd();
  afterTest(() => sshd.close());
  const gateway = await startGatewayUnderTest({ sessions: { logKeys: [logKey] } });
  const order = { port: sshd.port, credential: await gateway.credential(sshd.credential) };
  const other = await gateway.recording();
  for (const recording of [other, { ...other, strict: true }, null]) {
    const sessionId = gateway.open({ ...order, recording });
    const failed = await gateway.server.next('failed');
    expect(failed).toMatchObject({ sessionId, code: 'LOG_KEY_NOT_ALLOWED' });
  }
  const sessionId = gateway.open({ ...order, recording: { ...other, publicKey: logKey } });
  expect(await gateway.server.next('opened')).toMatchObject({ sessionId });
});

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
