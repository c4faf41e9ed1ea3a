// More output than a viewer takes: nothing of it is lost to the recording, to other viewers or to other sessions.
import { expect, test } from 'vitest';
import { hasSshd } from './real-sshd.ts';
import { endOf, readLog, shownIn, signingKey, silence, startRecordedSession } from './recorded-session.ts';
import { isSealValid } from './test-gateway-server.ts';

const within = { timeout: 120_000 };
const line = '0123456789abcdef0123456789abcd';
const bytes = 6_000_000;

test.skipIf(!hasSshd)('a flood is recorded whole while its viewer hangs and goes', within, async () => {
  const { gateway, sessionId, viewer, order } = await startRecordedSession();
  const { recording: _, ...unrecorded } = order;
  const otherId = gateway.open(unrecorded);
  const other = await gateway.attach(otherId);
  await other.gets('state', { state: 'connected' });
  await silence(viewer);
  await silence(other);
  viewer.hangs = true;
  await viewer.type(`yes ${line} | head -c ${bytes}; echo; echo end-$((6*7))\r`);
  await expect.poll(() => gateway.server.wireBytes, within).toBeGreaterThan(200_000);
  // The host waits for the viewer that hangs, other sessions do not.
  await other.type('echo other-$((6*7))\r');
  await other.sees('other-42');
  viewer.leave(sessionId);
  const since = performance.now();
  const next = await gateway.attach(sessionId, { mode: 'watch' });
  await next.sees(line);
  console.info(`flood: the next viewer had the tail after ${Math.round(performance.now() - since)} ms`);
  await other.type('echo meanwhile-$((6*7))\r');
  await other.sees('meanwhile-42');
  await expect.poll(() => next.screen(), within).toContain('end-42');
  expect(next.received).toBeLessThan(bytes * 1.1);
  gateway.server.send({ type: 'close', sessionId });
  const shown = shownIn(await readLog(gateway, sessionId, 'video'));
  const lines = Math.floor(bytes / (line.length + 1));
  expect(shown.split(`${line}\r\n`).length - 1).toBe(lines);
  expect(shown).toMatch(/end-42\r\n/);
  const text = (await readLog(gateway, sessionId, 'text')).join('');
  expect(text.split(`\t${line}\n`).length - 1).toBe(lines);
  for (const part of gateway.server.parts.values()) expect(isSealValid(part, signingKey(gateway))).toBe(true);
});

test.skipIf(!hasSshd)('a line of 10 MB is shown and recorded whole', within, async () => {
  const { gateway, sessionId, viewer } = await startRecordedSession();
  await silence(viewer);
  const length = 10_000_000;
  await viewer.type(`head -c ${length} /dev/zero | tr '\\0' x; echo; echo end-$((6*7))\r`);
  await expect.poll(() => viewer.screen(), within).toContain('end-42');
  await viewer.type('echo next-$((6*7)); exit\r');
  await viewer.sees('next-42');
  const shown = shownIn(await readLog(gateway, sessionId, 'video'));
  expect(shown.includes(`\n${'x'.repeat(length)}\r\n`)).toBe(true);
  const lines = (await readLog(gateway, sessionId, 'text')).join('').split('\n');
  const pieces = lines.flatMap((text) => /^[^\t]+Z\t(x+)$/.exec(text)?.[1] ?? []);
  expect(pieces.join('').length).toBe(length);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(2000);
  expect(lines.some((text) => text.endsWith('\tnext-42'))).toBe(true);
  for (const kind of ['text', 'video']) expect(await endOf(gateway, sessionId, kind)).toBe('ended valid');
});
