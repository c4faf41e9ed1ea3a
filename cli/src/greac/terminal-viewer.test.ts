// A session in the user's terminal against the real protocol: keys, size, questions and the state left behind.
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { SessionStream, type StreamStatus } from '@yagura/core/greac/stream/session-stream';
import { TestGateway, viewerIdOf } from '@yagura/core/greac/stream/test-gateway';
import type { GatewayControl } from '@yagura/core/greac/stream/viewer-protocol';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { systemTimers } from '@yagura/core/live/timers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Terminal } from '../terminal/terminal.ts';
import { TerminalViewer } from './terminal-viewer.ts';

const now = 1_800_000_000_000;

class TestScreen extends EventEmitter {
  columns = 100;
  rows = 30;
  text = '';
  onWrite = () => {};

  write(bytes: Uint8Array | string, onWritten?: () => void): void {
    this.text += typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
    onWritten?.();
    this.onWrite();
  }

  async shows(text: string): Promise<void> {
    while (!this.text.includes(text)) {
      await new Promise<void>((wake) => {
        this.onWrite = wake;
      });
    }
  }
}

let gateway: TestGateway;
let screen: TestScreen;
let stdin: PassThrough & { isRaw: boolean; setRawMode(on: boolean): void };
let viewer: TerminalViewer;
let end: Promise<StreamStatus>;

beforeEach(async () => {
  gateway = new TestGateway(() => now);
  screen = new TestScreen();
  stdin = Object.assign(new PassThrough(), {
    isRaw: false,
    setRawMode(on: boolean) {
      this.isRaw = on;
    },
  });
  const terminal = { t: await loadTranslator('en'), stdin } as unknown as Terminal;
  viewer = new TerminalViewer(terminal, screen as never, systemTimers, 'SHA256:known');
  end = new Promise((resolve, reject) => {
    const stream = new SessionStream({
      sessionId: gateway.sessionId,
      mode: 'control',
      attach: () => gateway.attach(),
      closeReason: async () => '',
      openSocket: gateway.openSocket,
      isTrusted: () => true,
      onStatus: (status) => {
        if (['ended', 'failed', 'left'].includes(status.state)) resolve(status);
        else viewer.showStatus(status);
      },
      handlers: viewer.handlers(reject),
      now: () => now,
      random: () => 0.5,
      timers: { set: () => 0, clear: () => undefined },
    });
    viewer.start(stream, 'web1');
    stream.start();
  });
  while (gateway.sockets.length === 0) await new Promise(setImmediate);
});
afterEach(() => viewer.stop());

const viewers = (mode: 'control' | 'watch', wantsControl = false): GatewayControl => ({
  type: 'viewers',
  you: viewerIdOf(0),
  viewers: [
    { viewerId: viewerIdOf(0), displayName: 'Aoi', mode, wantsControl: false },
    { viewerId: viewerIdOf(1), displayName: 'Ren', mode: 'watch', wantsControl },
  ],
});

async function connect(): Promise<void> {
  await gateway.socket.sendControl({ type: 'state', state: 'connected' });
  await gateway.socket.sendControl(viewers('control'));
  await gateway.socket.until((socket) => socket.controls('resize').length > 0);
}

test('keys are sent as they are, output is shown, and the size follows', async () => {
  await connect();
  expect(stdin.isRaw).toBe(true);
  expect(gateway.socket.controls('resize')).toEqual([{ type: 'resize', columns: 100, rows: 30 }]);
  stdin.write('ls\x03');
  await gateway.socket.sendTerminal('櫓$ ');
  await screen.shows('櫓$ ');
  [screen.columns, screen.rows] = [60, 20];
  screen.emit('resize');
  await gateway.socket.until((socket) => socket.controls('resize').length > 1);
  expect(gateway.socket.received.slice(1)).toEqual([
    { type: 'terminal', text: 'ls\x03' },
    { type: 'resize', columns: 60, rows: 20 },
  ]);
});

test('who continues the suspended program finds raw keys and the new size', async () => {
  await connect();
  const modes: boolean[] = [];
  stdin.setRawMode = (on) => modes.push(on);
  process.once('SIGWINCH', () => {
    [screen.columns, screen.rows] = [60, 20];
  });
  process.emit('SIGCONT', 'SIGCONT');
  await gateway.socket.until((socket) => socket.controls('resize').length > 1);
  expect(modes).toEqual([false, true]);
  expect(gateway.socket.controls('resize').at(-1)).toEqual({ type: 'resize', columns: 60, rows: 20 });
  viewer.stop();
  expect(process.listenerCount('SIGCONT')).toBe(0);
});

test('a gateway that is away is told apart from a lost connection', () => {
  const lost = { state: 'reconnecting', attempt: 1, delayMs: 1 } as const;
  viewer.showStatus({ ...lost, code: 'GATEWAY_AWAY' });
  expect(screen.text).toContain('The gateway is not connected.');
  expect(screen.text).not.toContain('The connection was lost.');
  viewer.showStatus({ ...lost, code: null });
  expect(screen.text).toContain('The connection was lost.');
});

test('leaving restores the terminal', async () => {
  await connect();
  stdin.write('\r~.');
  expect(await end).toEqual({ state: 'left' });
  viewer.stop();
  expect(stdin.isRaw).toBe(false);
  expect(screen.text).toContain('\x1b[?47l');
  // Lines wrap again.
  expect(screen.text).toContain('\x1b[?7h');
});

test('after leaving nothing of the terminal is used any more', async () => {
  const exits = process.listenerCount('exit');
  await connect();
  stdin.write('~.');
  await end;
  viewer.stop();
  expect(process.listenerCount('exit')).toBe(exits - 1);
  expect(screen.listenerCount('resize')).toBe(0);
  expect(stdin.listenerCount('data')).toBe(0);
  expect(stdin.isPaused()).toBe(true);
  const { length } = screen.text;
  viewer.stop();
  expect(screen.text).toHaveLength(length);
});

test('a terminal without a size sends none', async () => {
  await connect();
  [screen.columns, screen.rows] = [1, 30];
  screen.emit('resize');
  [screen.columns, screen.rows] = [2, 0];
  screen.emit('resize');
  [screen.columns, screen.rows] = [2, 1];
  screen.emit('resize');
  await gateway.socket.until((socket) => socket.controls('resize').length > 1);
  expect(gateway.socket.controls('resize').slice(1)).toEqual([{ type: 'resize', columns: 2, rows: 1 }]);
});

test('who gets control sends the size of the terminal, and without control none is sent', async () => {
  await gateway.socket.sendControl({ type: 'state', state: 'connected' });
  await gateway.socket.sendControl(viewers('watch'));
  screen.emit('resize');
  stdin.write('~?');
  await screen.shows('~g');
  expect(gateway.socket.controls('resize')).toEqual([]);
  await gateway.socket.sendControl(viewers('control'));
  await gateway.socket.until((socket) => socket.controls('resize').length > 0);
  await gateway.socket.sendControl(viewers('control', true));
  await screen.shows('Ren requests control');
  await gateway.socket.sendControl(viewers('control', true));
  stdin.write('~g');
  await gateway.socket.until((socket) => socket.controls('give-control').length > 0);
  // The size was sent once, and who asks is announced once.
  expect(gateway.socket.controls('resize')).toHaveLength(1);
  expect(screen.text.match(/Ren requests control/g)).toHaveLength(1);
});

test('control is given to nobody in particular when nobody asks', async () => {
  await connect();
  stdin.write('~g');
  await gateway.socket.until((socket) => socket.controls('give-control').length > 0);
  expect(gateway.socket.controls('give-control')).toEqual([{ type: 'give-control', to: null }]);
});

test('control is asked for by its key', async () => {
  await connect();
  stdin.write('~r');
  await gateway.socket.until((socket) => socket.controls('request-control').length > 0);
  expect(gateway.socket.controls('request-control')).toHaveLength(1);
});

test('a session that is not recorded is told, and a lost connection too', async () => {
  await connect();
  await gateway.socket.sendControl({ type: 'recording', isRecording: true });
  await gateway.socket.sendControl({ type: 'recording', isRecording: false });
  const t = await loadTranslator('en');
  await screen.shows(t('terminal.not-recorded'));
  expect(screen.text.split(t('terminal.not-recorded'))).toHaveLength(2);
  gateway.socket.close();
  await screen.shows(t('terminal.reconnecting'));
});

test('a watcher with a small terminal sees the part around the cursor', async () => {
  await gateway.socket.sendControl({ type: 'state', state: 'connected' });
  await gateway.socket.sendControl(viewers('watch'));
  await gateway.socket.sendControl({ type: 'snapshot', columns: 100, rows: 50 });
  await gateway.socket.sendTerminal('\x1b[50;1Hlast row');
  await screen.shows('\x1b[30;1H\x1b[0m\x1b[2Klast row');
});

test('a user who asks for control is announced and gets it', async () => {
  await connect();
  await gateway.socket.sendControl(viewers('control', true));
  await screen.shows('Ren requests control');
  stdin.write('~g');
  await gateway.socket.until((socket) => socket.controls('give-control').length > 0);
  expect(gateway.socket.controls('give-control')).toEqual([{ type: 'give-control', to: viewerIdOf(1) }]);
  await gateway.socket.sendControl(viewers('watch'));
  await screen.shows('no longer have control');
  stdin.write('x\r~r');
  await gateway.socket.until(({ received }) => received.length > 2);
  // What is typed without control is not sent.
  expect(gateway.socket.received.filter(({ type }) => type === 'terminal')).toEqual([]);
});

test.each([
  ['SHA256:known', true],
  ['SHA256:other', false],
])('the host key %s is accepted by the option: %s', async (fingerprint, accept) => {
  await gateway.socket.sendControl({ type: 'host-key', algorithm: 'ssh-ed25519', fingerprint });
  await gateway.socket.until((socket) => socket.controls('host-key-decision').length > 0);
  expect(gateway.socket.controls('host-key-decision')).toEqual([
    { type: 'host-key-decision', fingerprint, accept },
  ]);
});
