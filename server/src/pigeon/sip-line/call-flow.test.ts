import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import type { CallReport } from '../call-report.ts';
import { answerPauseMs, CallFlow, type FlowPrompts, maxKeys, type Prompt } from './call-flow.ts';

/** A prompt of so many seconds. */
const prompt = (text: string, seconds = 4): Prompt => ({ text, samples: new Int16Array(seconds * 8000) });

const prompts: FlowPrompts = {
  message: prompt('Alert'),
  noReply: prompt('Bye', 2),
  reactions: { 1: prompt('Thanks', 2), 2: null },
  keys: { 1: prompt('You pressed 1.', 1), 2: prompt('You pressed 2.', 1), 9: prompt('You pressed 9.', 1) },
};

/** Plays a call on a manual clock, with times from the first reading: playback takes as long as its audio. */
class Rehearsal {
  readonly clock = new ManualClock();
  readonly log: string[] = [];
  readonly reports: CallReport[] = [];
  readonly flow: CallFlow;
  private readonly start = this.clock.now() + answerPauseMs;
  private cancelPlayback: (() => void) | undefined;

  constructor(isTransfer = false) {
    this.flow = new CallFlow(
      prompts,
      {
        play: (samples) => {
          this.cancelPlayback?.();
          this.cancelPlayback = this.clock.after(samples.length / 8, () => this.flow.playbackEnded());
        },
        stopPlaying: () => this.cancelPlayback?.(),
        hangUp: () => this.note('hang up'),
        connect: () => this.note('connect'),
        report: (report) => {
          this.reports.push(report);
          if (report.kind === 'event') this.note(`${report.event.kind} ${report.event.text}`);
          else if (report.kind === 'key') this.note(`key ${report.key} after ${report.readings}`);
        },
      },
      { clock: this.clock, isTransfer },
    );
  }

  answer(): this {
    this.flow.answered();
    return this.pass(answerPauseMs / 1000);
  }

  pass(seconds: number): this {
    this.clock.advance(seconds * 1000);
    return this;
  }

  press(key: string): this {
    this.flow.keyPressed(key, 'rtpEvent');
    return this;
  }

  private note(line: string): void {
    this.log.push(`${(this.clock.now() - this.start) / 1000} ${line}`);
  }
}

describe('the flow of a call', () => {
  test('reads twice, waits ten seconds, three times, and says goodbye when no key is pressed', () => {
    const call = new Rehearsal();
    call.answer();
    call.pass(100);
    expect(call.log).toEqual([
      '0 reading Alert',
      '4 reading Alert',
      '18 reading Alert',
      '22 reading Alert',
      '36 reading Alert',
      '40 reading Alert',
      '54 reading Bye',
      '56 hang up',
    ]);
    expect(call.flow.hadNoInput).toBe(true);
    expect(call.flow.readings).toBe(6);
  });

  test('stops the reading at once for a key, says it back and reads the reaction', () => {
    const call = new Rehearsal();
    call.answer();
    call.pass(5.5).press('1').pass(100);
    expect(call.log).toEqual([
      '0 reading Alert',
      '4 reading Alert',
      '5.5 key 1 after 2',
      '5.5 readingStopped Alert',
      '5.5 reading You pressed 1.',
      '6.5 reading Thanks',
      '8.5 hang up',
    ]);
    expect(call.flow.hadNoInput).toBe(false);
  });

  test('begins to read after a pause, in which keys count', () => {
    const call = new Rehearsal();
    call.flow.answered();
    call.pass(0.25).press('9').pass(0.5).press('2').pass(2);
    expect(call.log).toEqual([
      '-0.25 key 9 after 0',
      '-0.25 reading You pressed 9.',
      '0.25 key 2 after 0',
      '0.25 reading You pressed 2.',
      '1.25 hang up',
    ]);
  });

  test('begins to read after a key in the pause that has no reaction', () => {
    const call = new Rehearsal();
    call.flow.answered();
    call.pass(0.25).press('9').pass(3);
    expect(call.log.slice(1)).toEqual(['-0.25 reading You pressed 9.', '0.75 reading Alert']);
  });

  test('hangs up after a key whose reaction has no message', () => {
    const call = new Rehearsal();
    call.answer();
    call.pass(9).press('2').pass(100);
    expect(call.log.slice(2)).toEqual(['9 key 2 after 2', '9 reading You pressed 2.', '10 hang up']);
  });

  test('says back a key without a reaction and continues where it was', () => {
    const call = new Rehearsal();
    call.answer();
    call.pass(3).press('9').pass(1.5).press('1').pass(10);
    expect(call.log).toEqual([
      '0 reading Alert',
      '3 key 9 after 1',
      '3 readingStopped Alert',
      '3 reading You pressed 9.',
      '4 reading Alert',
      '4.5 key 1 after 1',
      '4.5 readingStopped Alert',
      '4.5 reading You pressed 1.',
      '5.5 reading Thanks',
      '7.5 hang up',
    ]);
  });

  test('lets a key interrupt the saying back of another, and the goodbye', () => {
    const call = new Rehearsal();
    call.answer();
    call.pass(55).press('9').pass(0.5).press('2').pass(100);
    expect(call.log.slice(7)).toEqual([
      '55 key 9 after 6',
      '55 readingStopped Bye',
      '55 reading You pressed 9.',
      '55.5 key 2 after 6',
      '55.5 reading You pressed 2.',
      '56.5 hang up',
    ]);
    expect(call.flow.hadNoInput).toBe(false);
  });

  test('only reports keys after the decisive one, and none that no phone has', () => {
    const call = new Rehearsal();
    call.answer();
    call.pass(1).press('A').press('1').pass(0.5).press('2').pass(1).press('2').pass(10);
    expect(call.log.slice(1)).toEqual([
      '1 key 1 after 1',
      '1 readingStopped Alert',
      '1 reading You pressed 1.',
      '1.5 key 2 after 1',
      '2 reading Thanks',
      '2.5 key 2 after 1',
      '4 hang up',
    ]);
  });

  test('hangs up on a callee that presses keys without end', () => {
    const call = new Rehearsal();
    call.answer();
    for (let count = 0; count < 1000; count++) call.pass(0.1).press('9');
    expect(call.log.filter((line) => line.includes('key'))).toHaveLength(maxKeys);
    expect(call.log.at(-1)).toMatch(/hang up$/);
  });

  test('connects a transfer after its message was read once', () => {
    const call = new Rehearsal(true);
    call.answer();
    call.pass(1).press('1').pass(100);
    expect(call.log).toEqual(['0 reading Alert', '1 key 1 after 1', '4 connect']);
  });

  test('requests nothing after the call was closed', () => {
    const call = new Rehearsal();
    call.answer();
    call.pass(9);
    call.flow.close();
    call.press('1').pass(100);
    call.flow.playbackEnded();
    expect(call.log).toEqual(['0 reading Alert', '4 reading Alert']);
  });
});
