import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { LogLine } from '../common/log.ts';
import { listenForStopSignals } from './stop-signals.ts';

function listen() {
  const lines: LogLine[] = [];
  const exits: (number | undefined)[] = [];
  const source = Object.assign(new EventEmitter(), {
    exit: ((code?: number) => void exits.push(code)) as (code?: number | string | null) => never,
  });
  const signals = listenForStopSignals((line) => void lines.push(line), source as never);
  const stopped: string[] = [];
  const signal = (name: string) => source.emit(name, name);
  return { lines, exits, signals, stopped, signal, stop: (name: string) => void stopped.push(name) };
}

test('a signal before the server is ready stops the start, with a line, and the server if it gets ready after all', () => {
  const { lines, exits, signals, stopped, signal, stop } = listen();
  signal('SIGTERM');
  expect(lines).toEqual([
    { level: 'info', message: 'stopping before the server is ready', signal: 'SIGTERM' },
  ]);
  expect(signals.whileStarting.aborted).toBe(true);
  signals.ready(stop);
  expect(stopped).toEqual(['SIGTERM']);
  expect(exits).toEqual([]);
});

test('a signal to a server that is ready stops it, and a second one ends the process', () => {
  const { lines, exits, signals, stopped, signal, stop } = listen();
  signals.ready(stop);
  signal('SIGINT');
  expect(stopped).toEqual(['SIGINT']);
  expect(exits).toEqual([]);
  signal('SIGTERM');
  expect(exits).toEqual([130]);
  expect(signals.whileStarting.aborted).toBe(false);
  expect(lines).toEqual([]);
});
