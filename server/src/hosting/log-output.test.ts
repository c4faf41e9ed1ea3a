import { expect, test } from 'vitest';
import { ManualClock } from '../common/clock.ts';
import { LogOutput, maxWaitingBytes } from './log-output.ts';

/** A pipe that takes `room` bytes. */
function createPipe() {
  const clock = new ManualClock();
  const pipe = { room: 0, text: '', refusal: 'EAGAIN', attempts: 0 };
  const output: LogOutput = new LogOutput(2, {
    write(bytes) {
      pipe.attempts += 1;
      const count = Math.min(pipe.room, bytes.length);
      if (count === 0) throw Object.assign(new Error(pipe.refusal), { code: pipe.refusal });
      pipe.room -= count;
      pipe.text += Buffer.from(bytes.subarray(0, count)).toString('latin1');
      return count;
    },
    after: (milliseconds, work) => clock.after(milliseconds, work),
    onLost: (lines) => output.write(`${lines} lost\n`),
  });
  return { clock, pipe, output };
}

test('a line is written before write returns', () => {
  const { pipe, output, clock } = createPipe();
  pipe.room = 100;
  output.write('one\n');
  expect(pipe.text).toBe('one\n');
  expect(clock.timerCount).toBe(0);
});

test('what does not fit waits, in order and also within a line, until the reader goes on', () => {
  const { pipe, output, clock } = createPipe();
  pipe.room = 2;
  output.write('one\n');
  output.write('two\n');
  expect(pipe.text).toBe('on');
  clock.advance(1000);
  expect(pipe.text).toBe('on');
  pipe.room = 100;
  clock.advance(1000);
  expect(pipe.text).toBe('one\ntwo\n');
  expect(clock.timerCount).toBe(0);
});

test('waiting lines are bounded, and the number of those lost stands where they were', () => {
  const { pipe, output, clock } = createPipe();
  const long = `${'x'.repeat(maxWaitingBytes - 1)}\n`;
  output.write(long);
  output.write('lost\n');
  output.write('lost as well\n');
  pipe.room = long.length + 100;
  clock.advance(1000);
  output.write('next\n');
  expect(pipe.text.slice(long.length)).toBe('2 lost\nnext\n');
});

test('at the end of the process what waits is written as long as the reader takes something', () => {
  const { pipe, output } = createPipe();
  output.write('one\n');
  output.write('two\n');
  pipe.room = 8;
  output.flush();
  expect(pipe.text).toBe('one\ntwo\n');
});

test('the process ends although the reader takes nothing', () => {
  const { pipe, output } = createPipe();
  output.write('one\n');
  output.flush();
  expect(pipe.text).toBe('');
});

test('a full disk is tried again, a closed pipe is not', () => {
  const { pipe, output, clock } = createPipe();
  pipe.refusal = 'ENOSPC';
  output.write('one\n');
  pipe.room = 4;
  clock.advance(1000);
  expect(pipe.text).toBe('one\n');
  pipe.refusal = 'EPIPE';
  output.write('two\n');
  const { attempts } = pipe;
  clock.advance(1000);
  output.write('three\n');
  output.flush();
  expect(pipe.attempts).toBe(attempts);
});
