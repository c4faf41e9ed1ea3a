import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { abortOnInterruption, interruptedExitCode, isCtrlC } from './interruption.ts';
import { reportError } from './report-error.ts';

/** A process that notes with what code it was ended. */
function startProcess() {
  const ended: number[] = [];
  const events = new EventEmitter();
  const host = Object.assign(events, { exit: (code: number) => ended.push(code) });
  const signal = abortOnInterruption(host as unknown as NodeJS.Process);
  return { ended, signal, send: (name: string) => events.emit(name) };
}

test.each([
  ['SIGHUP', 129, false],
  ['SIGINT', 130, true],
  ['SIGTERM', 143, false],
] as const)('%s interrupts with %i', async (name, code, canAnswer) => {
  const { ended, signal, send } = startProcess();
  send(name);
  expect(signal.aborted).toBe(true);
  expect(ended).toEqual([]);
  expect(interruptedExitCode(signal)).toBe(code);
  expect(isCtrlC(signal)).toBe(canAnswer);
  const { terminal } = await testTerminal({});
  expect(reportError({ ...terminal, signal }, new Error('aborted'))).toBe(code);
});

test('any number of calls can listen without a warning', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const { signal } = startProcess();
  for (let call = 0; call < 30; call += 1) signal.addEventListener('abort', () => undefined);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test('a second signal ends the process with its own code', () => {
  const { ended, signal, send } = startProcess();
  send('SIGINT');
  send('SIGTERM');
  expect(ended).toEqual([143]);
  expect(interruptedExitCode(signal)).toBe(130);
});
