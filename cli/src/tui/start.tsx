// Takes over the screen, and gives it back whatever happens.
import { render } from 'ink';
import { presenterOf } from '../resource/present.ts';
import { openSession } from '../signin/session.ts';
import { sentences } from '../term/failure.ts';
import { wideMeasure } from '../term/measure.ts';
import { columnsOf, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { App } from './app.tsx';
import { createEffects } from './hands.ts';
import { listenKeys } from './keyboard.ts';
import { FrameStream } from './paper.ts';
import { rememberWords } from './remember-words.ts';
import { type CursorPosition, Screen } from './screen.ts';
import { sourceOf } from './source.ts';
import { loadAppContext } from './world.ts';

export interface StartOptions {
  readonly?: boolean;
  /** False leaves the mouse to the terminal. */
  mouse?: boolean;
  /** Words for the command bar. */
  params?: readonly string[];
}

export async function start(terminal: Terminal, options: StartOptions = {}): Promise<void> {
  if (!terminal.out.live || !terminal.stdin.isTTY) throw new Usage('cli.usage.no-screen');
  if (terminal.env.TERM === 'dumb') throw new Usage('tui.dumb');
  const session = openSession(terminal);
  // Asked before the screen is taken: a refused sign-in is told where it can be read.
  const t = rememberWords(terminal.t);
  const facts = { t, language: terminal.language, readonly: options.readonly ?? false };
  const context = await loadAppContext(session, facts, terminal.signal);
  const presenter = presenterOf({ language: terminal.language, t });
  const measure = await wideMeasure();
  const { stdout, stdin } = process;
  const screen = new Screen(stdout, options.mouse);
  const size = () => ({ columns: columnsOf(process), rows: stdout.rows || 24 });
  const stop = guard(screen);
  let cursor: CursorPosition | undefined;
  const raw = (on: boolean) => stdin.setRawMode(on);
  const paper = new FrameStream(size, (lines) => screen.paint(lines, cursor));
  const again = new Set<() => void>();
  const resized = () => {
    screen.repaint();
    for (const told of again) told();
  };
  raw(true);
  stdin.resume();
  screen.enter();
  stdout.on('resize', resized);
  try {
    const app = render(
      <App
        context={context}
        {...(options.params?.length ? { begin: options.params.join(' ') } : {})}
        mouse={options.mouse ?? true}
        source={sourceOf(session, context, presenter)}
        effects={createEffects({ session, terminal, context, screen, raw, resized })}
        render={{ presenter, measure, paint: terminal.out.paint }}
        tell={(error) => sentences(terminal, error).slice(0, 2).join(' ')}
        now={terminal.now}
        size={size}
        keys={(press) => listenKeys(stdin, press)}
        resizes={(told) => {
          again.add(told);
          return () => again.delete(told);
        }}
        onCursor={(place) => {
          cursor = place;
        }}
      />,
      // Every frame is handed over whole: the screen finds what changed, and needs no spare line for that.
      {
        stdout: paper as unknown as NodeJS.WriteStream,
        stdin,
        debug: true,
        exitOnCtrlC: false,
        patchConsole: false,
      },
    );
    await app.waitUntilExit();
  } finally {
    stdout.off('resize', resized);
    raw(false);
    stdin.pause();
    stop();
  }
}

/** Gives the screen back when the process ends, however it ends, and takes it again after a stop. */
function guard(screen: Screen): () => void {
  const restore = () => {
    screen.leave();
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
  };
  const endings = { SIGTERM: 143, SIGINT: 130 } as const;
  const handlers = Object.entries(endings).map(([signal, code]) => {
    const end = () => {
      restore();
      process.exit(code);
    };
    process.on(signal, end);
    return () => process.off(signal, end);
  });
  // The terminal may be gone, and then there is nothing to restore: the signal does what it does without a handler.
  const hungUp = () => {
    try {
      restore();
    } catch {
      // Gone it is.
    }
    process.off('SIGHUP', hungUp);
    process.kill(process.pid, 'SIGHUP');
  };
  const stopped = () => {
    restore();
    process.kill(process.pid, 'SIGSTOP');
  };
  const continued = () => {
    process.stdin.setRawMode(true);
    screen.enter();
  };
  process.on('SIGHUP', hungUp);
  process.stdin.once('end', hungUp).once('error', hungUp);
  process.on('exit', restore);
  // Told before an uncaught error is printed, so that it is printed where it stays.
  process.on('uncaughtExceptionMonitor', restore);
  process.on('SIGTSTP', stopped);
  process.on('SIGCONT', continued);
  return () => {
    restore();
    for (const off of handlers) off();
    process.off('SIGHUP', hungUp);
    process.stdin.off('end', hungUp).off('error', hungUp);
    process.off('exit', restore);
    process.off('uncaughtExceptionMonitor', restore);
    process.off('SIGTSTP', stopped);
    process.off('SIGCONT', continued);
  };
}
