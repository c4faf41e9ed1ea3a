import { describe, expect, it } from 'vitest';
import { LogPlayer } from './log-player.ts';
import { frameBytes, parseClipboard, parseRecording, searchRecording } from './recording.ts';

const part = (timestamp: number, ...events: unknown[]) =>
  [{ version: 3, term: { cols: 80, rows: 24 }, timestamp }, ...events]
    .map((line) => JSON.stringify(line))
    .join('\n');

const first = part(1000, [0.5, 'o', 'dis'], [1, 'o', '\x1b[1mk\x1b[0m full\r\n'], [0.5, 'm', 'Aoi']);
const second = part(1010, [2, 'r', '120x40'], [1, 'o', '櫓'], [1, 'x', '0']);

describe('a recording of a desktop', () => {
  const desktopPart = (timestamp: number, opening: string, ...events: unknown[]) =>
    [{ version: 1, format: 'rdp', timestamp, opening: btoa(opening) }, ...events]
      .map((line) => JSON.stringify(line))
      .join('\n');

  it('is bytes with times, and begins with the opening if its first part is missing', () => {
    const later = desktopPart(1060, 'opening', [1, 'o', btoa('\x00\xff')], [1, 'm', 'Aoi'], [0, 'o', '%']);
    const whole = parseRecording([desktopPart(1000, '', [0.5, 'o', btoa('\x03\x80')]), later]);
    const output = (recording: typeof whole) =>
      recording.events.flatMap(({ time, kind, data }) => (kind === 'output' ? [[time, data]] : []));
    expect([whole.isDesktop, whole.unreadable]).toEqual([true, 1]);
    expect(output(whole)).toEqual([
      [0.5, '\x03\x80'],
      [61, '\x00\xff'],
    ]);
    expect(output(parseRecording([later]))).toEqual([
      [0, 'opening'],
      [1, '\x00\xff'],
    ]);
  });

  it('has all bytes of its frames', () => {
    const bytes = Uint8Array.from({ length: 512 }, (_, at) => (at * 37) & 255);
    const { events } = parseRecording([desktopPart(1000, '', [1, 'o', btoa(String.fromCharCode(...bytes))])]);
    expect(frameBytes(events.map(({ data }) => data).join(''))).toEqual(bytes);
  });
});

describe('key frames of a desktop', () => {
  const header = { version: 1, format: 'rdp', timestamp: 1000, opening: '' };
  const lines = (...events: unknown[]) => [header, ...events].map((one) => JSON.stringify(one)).join('\n');
  const output = (name: string) => [1, 'o', btoa(name)];
  const begun = [0, 'k', `begun ${btoa('opening')}`];
  const completed = [0, 'k', 'completed'];
  const long = 'x'.repeat(300_000);
  const recording = parseRecording([
    lines(output(long), begun, output('all'), completed, output('c'), begun, output('d')),
    lines(completed, output('e'), completed, begun, [0, 'k', 'begun %'], completed),
  ]);

  it('have a beginning and an end in the same part', () => {
    expect(recording.keyFrames).toEqual([{ from: 1, complete: 2, opening: 'opening' }]);
    expect([recording.events.length, recording.unreadable]).toEqual([5, 0]);
  });

  it('are where a player begins when it goes back, or far ahead', () => {
    const drawn: string[] = [];
    const screen = {
      write: (text: string) => void drawn.push(text),
      reset: () => void drawn.push('reset'),
      resize: () => undefined,
    };
    const player = new LogPlayer(recording, screen, { now: () => 0, soon: () => () => undefined });
    const seek = (seconds: number) => {
      drawn.splice(0);
      player.seek(seconds);
      return [...drawn];
    };
    expect(seek(3)).toEqual(['reset', 'opening', 'allc']);
    expect(seek(4)).toEqual(['d']);
    expect(seek(2)).toEqual(['reset', 'opening', 'all']);
    // Before all of the screen was painted.
    expect(seek(1.9)).toEqual(['reset', long]);
    expect(seek(4)).toEqual(['allcd']);
  });

  it('are not used while it plays', () => {
    const drawn: string[] = [];
    let [now, next] = [0, () => {}];
    const player = new LogPlayer(
      recording,
      { write: (text) => void drawn.push(text), reset: () => void drawn.push('reset'), resize() {} },
      {
        now: () => now,
        soon(callback) {
          next = callback;
          return () => undefined;
        },
      },
    );
    player.play();
    now = 60_000;
    next();
    expect(drawn).toEqual(['reset', `${long}allcde`]);
  });
});

describe('text between clipboards', () => {
  it('is an event with a direction, a length and a name', () => {
    const line = [{ version: 1, format: 'rdp', timestamp: 1, opening: '' }, [1, 'c', 'pasted 12 Aoi Sato']];
    const { events, unreadable } = parseRecording([line.map((one) => JSON.stringify(one)).join('\n')]);
    expect([events, unreadable]).toEqual([[{ time: 1, kind: 'clipboard', data: 'pasted 12 Aoi Sato' }], 0]);
    expect(parseClipboard(events[0]!.data)).toEqual({ direction: 'pasted', count: 12, name: 'Aoi Sato' });
    expect(parseClipboard('pasted Aoi')).toBe(null);
  });
});

describe('a recording', () => {
  it('has the times of all parts, with the pauses between them', () => {
    const { events, duration, unreadable } = parseRecording([first, second]);
    expect(events.map(({ time, kind }) => [time, kind])).toEqual([
      [0.5, 'output'],
      [1.5, 'output'],
      [2, 'marker'],
      [10, 'resize'],
      [12, 'resize'],
      [13, 'output'],
    ]);
    expect([duration, unreadable]).toEqual([14, 0]);
  });

  it('is read as far as possible', () => {
    const damaged = `${first}\n[1, "o"\n[-5, "o", "x"]\n{"version":2}\n[1, "o", 5]`;
    const { events, unreadable } = parseRecording([damaged]);
    expect([events.length, unreadable]).toEqual([3, 4]);
  });

  it('is searched without control sequences, over the borders of events', () => {
    const recording = parseRecording([first, second]);
    expect(searchRecording(recording, 'DISK FULL')).toEqual([{ time: 0.5, text: 'disk full 櫓' }]);
    expect(searchRecording(recording, '櫓')[0]).toMatchObject({ time: 13 });
    expect(searchRecording(recording, 'full')[0]).toMatchObject({ time: 1.5 });
    expect(searchRecording(recording, '')).toEqual([]);
  });
});

describe('the player', () => {
  function createPlayer() {
    const screen: string[] = [];
    const timers: (() => void)[] = [];
    let now = 0;
    const player = new LogPlayer(
      parseRecording([first, second]),
      {
        write(text, onParsed) {
          if (text !== '') screen.push(text);
          onParsed?.();
        },
        reset: () => screen.splice(0),
        resize: (columns, rows) => screen.push(`${columns}x${rows}`),
      },
      {
        now: () => now,
        soon(callback) {
          timers.push(callback);
          return () => timers.splice(timers.indexOf(callback), 1);
        },
      },
    );
    const pass = (milliseconds: number) => {
      now += milliseconds;
      for (const callback of timers.splice(0)) callback();
    };
    return { player, screen, pass };
  }

  it('plays by the clock and its speed, and stops at the end', () => {
    const { player, screen, pass } = createPlayer();
    player.play();
    pass(600);
    expect(screen).toEqual(['80x24', 'dis']);
    player.setSpeed(2);
    pass(500);
    expect(player.getState().position).toBeCloseTo(1.6);
    expect(screen).toHaveLength(3);
    player.pause();
    pass(60_000);
    expect(player.getState().position).toBeCloseTo(1.6);
    player.play();
    pass(60_000);
    expect(player.getState()).toMatchObject({ position: 14, isPlaying: false });
    expect(screen.at(-1)).toBe('櫓');
  });

  it('shows what happens at the time that it seeks, as for a match', () => {
    const { player, screen } = createPlayer();
    player.seek(13);
    expect(screen.at(-1)).toBe('櫓');
    player.seek(12.9);
    expect(screen).not.toContain('櫓');
  });

  it('seeks forwards and back to the same screen', () => {
    const { player, screen } = createPlayer();
    player.seek(1);
    const early = [...screen];
    player.seek(14);
    expect(screen).toEqual(['80x24', 'dis', '\x1b[1mk\x1b[0m full\r\n', '80x24', '120x40', '櫓']);
    player.seek(1);
    expect(screen).toEqual(early);
    player.seek(-5);
    expect([screen, player.getState().position]).toEqual([['80x24'], 0]);
  });
});
