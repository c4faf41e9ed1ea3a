// The thread that records terminals, with its real files.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LogSpool, type Spooled, type SpooledPart } from './log-spool.ts';
import { RecordingThread } from './recording-thread.ts';

const size = { columns: 80, rows: 24 };
const within = { timeout: 30_000 };
const sessionId = '018f0000-0000-7000-8000-000000000001';
const otherSessionId = '018f0000-0000-7000-8000-000000000002';
const mebibyte = 1024 * 1024;
const text = (value: string) => new TextEncoder().encode(value);

async function start({ flushMs = 60_000 } = {}) {
  const stateFolder = mkdtempSync(join(tmpdir(), 'yagura-recording-'));
  const spooled = new Set<Spooled>();
  // After the beginning, which has the time of the thread.
  const since = Date.now() + 60_000;
  let now = since;
  const thread = new RecordingThread({
    ...{ stateFolder, flushMs, now: () => now },
    onSpooled: (one) => void spooled.add(one),
  });
  onTestFinished(async () => {
    await thread.close();
    rmSync(stateFolder, { recursive: true, force: true });
  });
  const identity = await generateIdentity();
  const order = { sessionId, keyId: sessionId, publicKey: await identityToRecipient(identity) };
  const events = { onFailed: vi.fn(), onBehind: vi.fn() };
  const partOf = (kind: string, of = sessionId, part = 1) =>
    [...spooled].find(
      (one): one is SpooledPart =>
        'meta' in one && one.meta.kind === kind && one.meta.sessionId === of && one.meta.part === part,
    )!;
  return {
    ...{ thread, order, events, spooled, stateFolder, partOf, since },
    pass(ms: number) {
      now += ms;
    },
    async read(kind: string, part = 1): Promise<string> {
      const { meta, chunks } = partOf(kind, sessionId, part);
      const spool = new LogSpool(stateFolder);
      const bytes = await Promise.all(chunks.map((chunk) => spool.readChunk(meta, chunk)));
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      return new TextDecoder().decode(await decrypter.decrypt(new Uint8Array(Buffer.concat(bytes))));
    },
  };
}

/** The nice values of the threads of this process (proc(5)). */
function priorities(): Map<string, number> {
  return new Map(
    readdirSync('/proc/self/task').flatMap((id) => {
      try {
        const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
        return [[id, Number(stat.replace(/^.*\) /, '').split(' ')[16])]];
      } catch {
        // It has ended.
        return [];
      }
    }),
  );
}

test('events keep their order and the times at which they came', async () => {
  const { thread, order, events, pass, partOf, read, spooled, since } = await start();
  const recording = thread.record(order, size, events);
  await recording.ready();
  recording.output(text('one '));
  recording.output(text('two\r\n'));
  pass(250);
  recording.resize({ columns: 90, rows: 20 });
  recording.typed('Hana');
  pass(1000);
  recording.output(text('three\r\n'));
  await recording.end('ended');
  const [header, ...rest] = (await read('video'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(header).toMatchObject({ version: 3, term: { cols: 80, rows: 24 } });
  // What came in the same millisecond is one event.
  expect(rest.map(([, code, data]) => [code, data])).toEqual([
    ...[
      ['o', 'one two\r\n'],
      ['r', '90x20'],
      ['m', 'Hana'],
      ['o', 'three\r\n'],
    ],
  ]);
  expect(rest.slice(1).map(([seconds]) => seconds)).toEqual([0.25, 0, 1]);
  const stamp = (ms: number) => new Date(since + ms).toISOString();
  expect(await read('text')).toBe(`${stamp(0)}\tone two\n${stamp(1250)}\tthree\n`);
  for (const kind of ['text', 'video']) expect(partOf(kind)).toMatchObject({ isClosed: true, sealed: {} });
  expect([...spooled].filter((one) => 'end' in one)).toHaveLength(2);
  expect(events.onFailed).not.toHaveBeenCalled();
});

test('a pause before a part is in the time of its beginning, not in that of its first event as well', async () => {
  const { thread, order, events, pass, partOf, read, since } = await start({ flushMs: 20 });
  const recording = thread.record(order, size, events);
  await recording.ready();
  recording.output(text('one\r\n'));
  await expect.poll(() => partOf('video')?.sealed, within).toBeTruthy();
  pass(30_000);
  recording.output(text('two\r\n'));
  await recording.end('ended');
  const lines = (await read('video', 2)).trimEnd().split('\n');
  const [header, ...rest] = lines.map((line) => JSON.parse(line));
  expect(header.timestamp).toBe(Math.floor((since + 30_000) / 1000));
  expect(rest).toEqual([[0, 'o', 'two\r\n']]);
});

test('the text log has the widths of the terminal, at the beginning and after a resize', async () => {
  const { thread, order, events, read } = await start();
  const recording = thread.record(order, { columns: 4, rows: 24 }, events);
  await recording.ready();
  recording.output(text('abcd \refgh\r\n'));
  recording.resize({ columns: 6, rows: 24 });
  recording.output(text('abcdef \rgh\r\n'));
  await recording.end('ended');
  const lines = (await read('text')).split('\n');
  expect(lines.map((line) => line.replace(/^.*\t/, ''))).toEqual(['abcdefgh', 'abcdefgh', '']);
});

test('more output than may wait for the thread pauses its host and no other, and nothing of it is lost', async () => {
  const { thread, order, events, read } = await start();
  const quietEvents = { onFailed: vi.fn(), onBehind: vi.fn() };
  const quiet = thread.record({ ...order, sessionId: otherSessionId }, size, quietEvents);
  const recording = thread.record(order, size, events);
  await Promise.all([quiet.ready(), recording.ready()]);
  const block = text(`${'x'.repeat(98)}\r\n`.repeat(640));
  let sent = 0;
  for (; sent < 32 * mebibyte - block.length; sent += block.length) recording.output(block);
  expect(events.onBehind).not.toHaveBeenCalled();
  for (const more of [1, 2]) {
    recording.output(block);
    sent += block.length;
    quiet.output(text(`${more}\r\n`));
  }
  expect(events.onBehind.mock.calls).toEqual([[true]]);
  await expect.poll(() => events.onBehind.mock.lastCall, within).toEqual([false]);
  await Promise.all([quiet.end('ended'), recording.end('ended')]);
  const lines = (await read('text')).trimEnd().split('\n');
  expect(lines).toHaveLength(sent / 100);
  expect(quietEvents.onBehind).not.toHaveBeenCalled();
}, 60_000);

test('recordings end with their thread, and others begin in a new one', async () => {
  const { thread, order, events, spooled, stateFolder } = await start();
  const started: Worker[] = [];
  const post = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...given) {
    started.push(this);
    post.apply(this, given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const recording = thread.record(order, size, events);
  await recording.ready();
  await started[0]!.terminate();
  expect(events.onFailed).toHaveBeenCalledOnce();
  await recording.end('ended');
  // The next start of the agent uploads what is in the spool, without an end.
  const left = await new LogSpool(stateFolder).load();
  expect(left.map((one) => 'meta' in one && one.meta.kind).sort()).toEqual(['text', 'video']);
  for (const one of left) expect(one).not.toHaveProperty('sealed');
  expect([...spooled].filter((one) => 'end' in one)).toEqual([]);

  const other = thread.record({ ...order, sessionId: otherSessionId }, size, events);
  await other.ready();
  await other.end('ended');
  expect(new Set(started).size).toBe(2);
  expect(events.onFailed).toHaveBeenCalledOnce();
});

test.skipIf(process.platform !== 'linux')('the thread gives way to those that serve sessions', async () => {
  const { thread, order, events } = await start();
  const before = priorities();
  const recording = thread.record(order, size, events);
  await recording.ready();
  const lowered = [...priorities()].filter(([id, nice]) => !before.has(id) && nice > getPriority());
  expect(lowered).toHaveLength(1);
  const after = priorities();
  expect([...before].filter(([id, nice]) => (after.get(id) ?? nice) !== nice)).toEqual([]);
});

test('a recording that cannot be written fails', async () => {
  const { thread, order, events, stateFolder } = await start();
  const recording = thread.record({ ...order, publicKey: 'age1broken' }, size, events);
  await expect(recording.ready()).rejects.toThrow();
  expect(events.onFailed).toHaveBeenCalledOnce();
  await recording.end('failed');
  expect(readdirSync(stateFolder)).toContain('signing-key.pem');
});
