// Starts the full-screen view on the alternate screen and restores the terminal in all cases.
import { render } from 'ink';
import { type EndingSignal, endingSignals, signalExitCodes } from '../command-line/interruption.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { createPresenter } from '../resource/output/present-value.ts';
import { openSession } from '../signin/session.ts';
import { serverNow } from '../terminal/clock-skew.ts';
import { wideMeasure } from '../terminal/measure.ts';
import { type Terminal, terminalColumns } from '../terminal/terminal.ts';
import { App } from './app.tsx';
import { createDataSource } from './data/data-source.ts';
import { createEffects } from './effects/create-effects.ts';
import { formatTuiError } from './format-tui-error.ts';
import { memoizeTranslate } from './memoize-translate.ts';
import { FrameStream } from './screen/frame-stream.ts';
import { listenKeys } from './screen/keyboard.ts';
import { type CursorPosition, Screen } from './screen/screen.ts';
import { loadAppContext } from './state/app-context.ts';

export interface StartOptions {
  readonly?: boolean;
  /** False leaves the mouse to the terminal. */
  mouse?: boolean;
  /** Initial command for the command bar, as words. */
  initialCommand?: readonly string[];
}

export async function startTui(terminal: Terminal, options: StartOptions = {}): Promise<void> {
  if (!terminal.out.isTTY || !terminal.stdin.isTTY) throw new UsageError('cli.usage.no-screen');
  if (terminal.env.TERM === 'dumb') throw new UsageError('tui.dumb');
  const session = openSession(terminal);
  // Loaded before the alternate screen is entered, so that a rejected sign-in is reported on the primary
  // screen.
  const t = memoizeTranslate(terminal.t);
  const settings = { t, language: terminal.language, readonly: options.readonly ?? false };
  const context = await loadAppContext(session, settings, terminal.signal);
  const presenter = createPresenter({ language: terminal.language, t, serverNow: () => serverNow(terminal) });
  const formatError = (error: unknown) => formatTuiError(terminal, error);
  const measure = await wideMeasure();
  const { stdout, stdin } = process;
  const screen = new Screen(stdout, options.mouse);
  const size = () => ({ columns: terminalColumns(process), rows: stdout.rows || 24 });
  const stop = restoreOnExit(screen);
  let cursor: CursorPosition | undefined;
  const setRawMode = (on: boolean) => stdin.setRawMode(on);
  const frameStream = new FrameStream(size, (lines) => screen.paint(lines, cursor));
  const resizeListeners = new Set<() => void>();
  const onResize = () => {
    screen.repaint(size().rows);
    for (const listener of resizeListeners) listener();
  };
  setRawMode(true);
  stdin.resume();
  screen.enter();
  stdout.on('resize', onResize);
  try {
    const app = render(
      <App
        context={context}
        {...(options.initialCommand?.length ? { initialCommand: options.initialCommand.join(' ') } : {})}
        mouse={options.mouse ?? true}
        source={createDataSource(session, context, presenter, formatError)}
        effects={createEffects({ session, terminal, context, screen, setRawMode, onResize })}
        render={{ presenter, measure, paint: terminal.out.paint }}
        formatError={formatError}
        now={presenter.now}
        size={size}
        subscribeToKeys={(press) => listenKeys(stdin, press)}
        subscribeToWaits={(listener) => {
          const { retry } = session.transport;
          session.transport.retry = { ...retry, onWait: listener };
          return () => {
            session.transport.retry = retry;
          };
        }}
        subscribeToResize={(listener) => {
          resizeListeners.add(listener);
          return () => resizeListeners.delete(listener);
        }}
        onCursor={(position) => {
          cursor = position;
        }}
      />,
      // Debug mode writes every frame in full: the screen does its own diffing and needs no spare line.
      {
        stdout: frameStream as unknown as NodeJS.WriteStream,
        stdin,
        debug: true,
        exitOnCtrlC: false,
        patchConsole: false,
      },
    );
    await app.waitUntilExit();
  } finally {
    stdout.off('resize', onResize);
    setRawMode(false);
    stdin.pause();
    stop();
  }
}

/**
 * Restores the terminal however the process ends, and re-enters the alternate screen when it continues after
 * a stop.
 */
function restoreOnExit(screen: Screen): () => void {
  const restore = () => {
    try {
      screen.leave();
      if (process.stdin.isTTY) process.stdin.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  };
  const end = (signal: NodeJS.Signals) => {
    restore();
    process.exit(signalExitCodes[signal as EndingSignal]);
  };
  const hungUp = () => end('SIGHUP');
  const stopped = () => {
    restore();
    process.kill(process.pid, 'SIGSTOP');
  };
  const continued = () => {
    process.stdin.setRawMode(true);
    screen.enter();
  };
  for (const signal of endingSignals) process.on(signal, end);
  process.stdin.once('end', hungUp).once('error', hungUp);
  process.on('exit', restore);
  // Runs before an uncaught error is printed, so that it is printed on the primary screen.
  process.on('uncaughtExceptionMonitor', restore);
  process.on('SIGTSTP', stopped);
  process.on('SIGCONT', continued);
  return () => {
    restore();
    for (const signal of endingSignals) process.off(signal, end);
    process.stdin.off('end', hungUp).off('error', hungUp);
    process.off('exit', restore);
    process.off('uncaughtExceptionMonitor', restore);
    process.off('SIGTSTP', stopped);
    process.off('SIGCONT', continued);
  };
}
