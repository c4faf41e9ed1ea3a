// Takes over the screen, and gives it back whatever happens.
import { render } from 'ink';
import { presenterOf } from '../resource/present.ts';
import { openSession } from '../signin/session.ts';
import { sentences } from '../term/failure.ts';
import { wideMeasure } from '../term/measure.ts';
import { columnsOf, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { App } from './app.tsx';
import { sourceOf } from './source.ts';

const alternate = '\x1b[?1049h\x1b[H';
const primary = '\x1b[?1049l\x1b[?25h';

export async function start(terminal: Terminal): Promise<void> {
  if (!terminal.out.live || !terminal.stdin.isTTY) throw new Usage('cli.usage.no-screen');
  const session = openSession(terminal);
  const presenter = presenterOf(terminal);
  const source = sourceOf(session, presenter);
  // One call before the screen is taken: a refused sign-in is told where it can be read.
  await source.load({ view: 'scopes' }, terminal.signal);
  const measure = await wideMeasure();
  const { stdout } = process;
  const restore = () => stdout.write(primary);
  const leave = () => {
    restore();
    process.exit(143);
  };
  process.once('exit', restore);
  process.once('SIGTERM', leave);
  process.once('SIGHUP', leave);
  stdout.write(alternate);
  try {
    const app = render(
      <App
        source={source}
        brush={{ presenter, measure, paint: terminal.out.paint }}
        tell={(error) => sentences(terminal, error)[0] ?? ''}
        now={terminal.now}
        size={() => ({ columns: columnsOf(process), rows: stdout.rows || 24 })}
      />,
      // Incremental rendering stays off: Ink 6.8.0 starts one line too low when a frame is smaller than the screen.
      { exitOnCtrlC: false, patchConsole: false, maxFps: 30 },
    );
    await app.waitUntilExit();
  } finally {
    process.off('exit', restore);
    process.off('SIGTERM', leave);
    process.off('SIGHUP', leave);
    restore();
  }
}
