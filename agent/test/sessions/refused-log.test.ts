// Recordings that the server refuses for now.
import { expect, test } from 'vitest';
import { hasSshd } from './real-sshd.ts';
import { endOf, readLog, startRecordedSession } from './recorded-session.ts';

test.skipIf(!hasSshd)(
  'logs arrive soon after the server has space again, and the session goes on meanwhile',
  { timeout: 120_000 },
  async () => {
    const { gateway, sessionId, viewer } = await startRecordedSession({
      limits: { flushMs: 100 },
      prepare: ({ server }) => {
        server.refusal = 'NO_SPACE';
      },
    });
    await viewer.type('echo before-$((6*7))\r');
    await viewer.sees('before-42');
    await gateway.server.next('log');
    // The next attempt, not that of another log.
    await gateway.server.next('log');
    const logs = () => gateway.server.messages.filter((message) => message.type === 'log');
    expect(new Set(logs().map(({ kind, part, chunk }) => `${kind} ${part} ${chunk}`)).size).toBe(1);
    await viewer.type('echo meanwhile-$((6*7))\r');
    await viewer.sees('meanwhile-42');
    gateway.server.refusal = undefined;
    await viewer.type('exit\r');
    for (const kind of ['text', 'video']) {
      expect(await endOf(gateway, sessionId, kind)).toBe('ended valid');
      expect((await readLog(gateway, sessionId, kind)).join('')).toMatch(/before-42[\s\S]*meanwhile-42/);
    }
    const told = gateway.lines.filter(({ message }) => message.includes('session logs'));
    expect(told.map(({ level }) => level)).toEqual(['warn', 'info']);
  },
);
