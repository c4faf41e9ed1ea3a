import { afterEach, describe, expect, test, vi } from 'vitest';
import { startTestTui, type TestTuiOptions } from '../../test/start-test-tui.tsx';
import type { LoadRange } from './state/list-view.ts';
import type { View } from './state/state.ts';

type Tui = Awaited<ReturnType<typeof startTestTui>>;

let unmount: () => void = () => undefined;
afterEach(() => unmount());

async function start(options: TestTuiOptions = {}) {
  const tui = await startTestTui(options);
  unmount = tui.unmount;
  await tui.until('data');
  return tui;
}

/** Keys, and the name of the resulting frame. */
const journey: [keys: string, name: string][] = [
  ['', 'home'],
  [':sco', 'command line'],
  ['\r', 'list'],
  ['j ', 'one marked'],
  ['/web', 'filter'],
  ['\r', 'filtered'],
  ['a', 'actions'],
  ['\x1b\x1b\x1bs', 'sort'],
  ['\x1bg\r', 'item'],
  ['v', 'yaml'],
  ['D', 'delete asks for the name'],
  ['\x1b?', 'help'],
  ['\x1be', 'form'],
  ['\x13', 'form refused'],
  ['\x1b[B\x1b[B', 'form further down'],
];

describe.each([
  [20, 5],
  [40, 10],
  [80, 24],
  [120, 40],
] as const)('at %ix%i', (columns, rows) => {
  test.each(['en', 'ja'] as const)('in %s', async (language) => {
    const tui = await startTestTui({ columns, rows, language });
    tui.mistakes.push({ path: 'displayName', reason: '同じ名前のスコープがあります' });
    unmount = tui.unmount;
    let frames = '';
    const { wideMeasure } = await import('../terminal/measure.ts');
    const { width } = await wideMeasure();
    for (const [keys, name] of journey) {
      tui.press(keys);
      await settle();
      expect(tui.lines()).toHaveLength(rows);
      for (const line of tui.lines()) expect(width(line), line).toBeLessThanOrEqual(columns);
      frames += `== ${name}\n${tui
        .lines()
        .map((line) => `${line.trimEnd()}\n`)
        .join('')}`;
    }
    await expect(frames).toMatchFileSnapshot(`../../test/frames/${columns}x${rows}-${language}.txt`);
  });
});

/** Flushes pending work; everything here is resolved promises. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('a call that waits for a busy server says so until it has its reply', async () => {
  const { source, startWait, text, until } = await start();
  startWait(500, 'unavailable');
  startWait(4200, 'unavailable');
  await until('The server is busy or cannot reach its database. Next attempt in 5 s');
  source.ring();
  await vi.waitFor(() => expect(text()).not.toContain('Next attempt'));
});

describe('the list', () => {
  test('follows what changes, and no row jumps under the cursor', async () => {
    const { source, press, until, lines, text } = await start();
    press(':scopes\r');
    await until('1/4');
    press('jj');
    await until('3/4');
    const at = () => lines().findIndex((line) => line.startsWith('>'));
    const before = at();
    source.rows.scope = [
      { ...source.rows.scope![0]!, scopeId: 'new', displayName: 'brand new' },
      ...source.rows.scope!,
    ];
    source.ring();
    await until('4/5');
    expect(lines()[at()]).toContain('web-back');
    // There is space above: the short list scrolls down as a whole, including the cursor row.
    expect(at()).toBe(before + 1);
    source.rows.scope = source.rows.scope!.filter(({ displayName }) => displayName !== 'web-back');
    source.ring();
    await until('4/4');
    expect(text()).not.toContain('web-back');
    expect(lines()[at()]).toContain('決済');
  });

  test('keeps what it has while the server is away, and says so', async () => {
    const { source, press, until, text } = await start();
    press(':scopes\r');
    await until('1/4');
    source.broken = new Error('The server cannot be reached');
    source.ring();
    await until('Could not load (data from just now): The server cannot be reached');
    expect(text()).toContain('web-front');
    source.broken = undefined;
    source.ring();
    await until('1/4');
  });

  test.each([
    ['further rows', ({ press }: Tui) => press('G')],
    ['changed rows', ({ source }: Tui) => source.ring()],
  ])('gives up loading %s when it is left', async (_what, begin) => {
    const tui = await start();
    const { source, press, until } = tui;
    source.page = 2;
    press(':scopes\r');
    await until('1/4');
    const signals: AbortSignal[] = [];
    const load = source.load.bind(source);
    Object.assign(source, {
      load(view: View, range: LoadRange, signal: AbortSignal) {
        if (view.kind !== 'list') return load(view, range);
        signals.push(signal);
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    });
    begin(tui);
    await vi.waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([false]));
    press('\x1b');
    await vi.waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true]));
  });

  test('does to several at once what was asked, after the number was typed', async () => {
    const { source, press, until, text } = await start();
    press(':scopes\r');
    await until('1/4');
    press('  D');
    await until('Delete: 2 Scopes? Type 2 to confirm:');
    press('3\r');
    await settle();
    expect(text()).toContain('Type 2 to confirm: 3');
    expect(source.requests).toEqual([]);
    source.outcome = {
      text: '1 done, 1 failed',
      failed: true,
      lines: [
        { text: 'web-front: still in use', style: 'danger' },
        { text: 'database', style: 'success' },
      ],
    };
    press('\x7f2\r');
    await until('web-front: still in use');
    expect(source.requests).toMatchObject([
      { act: 'perform', action: { name: 'delete' }, subjects: [{}, {}] },
    ]);
  });
});

test('Esc cancels an action on many items, which says so while it runs', async () => {
  const { source, press, until, text, lines } = await start();
  const [one] = source.rows.scope!;
  source.rows.scope = Array.from({ length: 12 }, (_, index) => ({ ...one!, scopeId: `id ${index}` }));
  let signal = new AbortController().signal;
  Object.assign(source, {
    perform(_request: object, onProgress: (text: string) => void, canceling: AbortSignal) {
      signal = canceling;
      onProgress('Delete: 3 of 12…');
      return new Promise((resolve) =>
        canceling.addEventListener('abort', () => resolve({ text: '10 done, 2 not started', failed: true })),
      );
    },
  });
  press(':scopes\r');
  await until('1/12');
  press('AD');
  await until('Type 12 to confirm');
  press('12\r');
  await until('Delete: 3 of 12…  Esc cancel');
  expect(signal.aborted).toBe(false);
  press('\x1b');
  await until('10 done, 2 not started');
  // It neither left the list nor cleared the selection.
  expect(text()).toContain('Scopes');
  expect(lines().filter((line) => line.startsWith(' *') || line.startsWith('>*'))).toHaveLength(12);
});

test('opens where it was told to, and reads on to the last row when that is wanted', async () => {
  const tui = await startTestTui({ initialCommand: 'scopes', columns: 100 });
  unmount = tui.unmount;
  await tui.until('1/4');
  tui.source.page = 100;
  const [one] = tui.source.rows.scope!;
  tui.source.rows.scope = Array.from({ length: 950 }, (_, index) => ({
    ...one!,
    scopeId: `id ${index}`,
    displayName: `host ${index}`,
  }));
  tui.press('r');
  await tui.until('1/950');
  tui.press('G');
  await tui.until('950/950');
  expect(tui.text()).toContain('host 949');
  tui.press('gj');
  await tui.until('2/950');
});

describe('a session', () => {
  test.each([
    ['destination', { destinationId: 'd1', displayName: 'db-primary', host: '192.0.2.7', protocol: 'ssh' }],
    ['session', { sessionId: 'd1', destinationName: 'db-primary', status: 'open', protocol: 'ssh' }],
  ])('is started from a %s', async (resource, row) => {
    const { source, done, press, until } = await start();
    source.rows[resource] = [row];
    press(`:${resource}s\r`);
    await until('db-primary');
    press('aconnect');
    await until('Connect');
    expect(done).toEqual([]);
    press('\r');
    await until('connected');
    expect(done).toMatchObject([{ act: 'connect', id: 'd1' }]);
    await until('db-primary');
  });

  test('is not started without the permission, which is named', async () => {
    const { source, done, press, until } = await start({
      context: { permissions: ['greac:destinations:list', 'greac:sessions:list'] },
    });
    source.rows.destination = [{ destinationId: 'd1', displayName: 'db-primary', protocol: 'ssh' }];
    press(':destinations\r');
    await until('db-primary');
    press('aconnect\r');
    await until('greac:sessions:create');
    expect(done).toEqual([]);
  });
});

describe('danger', () => {
  test('nothing is done on one key, and only y does it', async () => {
    const { source, press, until } = await start();
    press(':scopes\r');
    await until('1/4');
    press('areset\r');
    await until('[y/N]');
    press('n');
    await until('1/4');
    press('areset\r');
    await until('[y/N]');
    expect(source.requests).toEqual([]);
    press('y');
    await until('It is done');
    expect(source.requests).toMatchObject([{ action: { name: 'reset', resource: 'severity' } }]);
  });

  test('a call starts from a callflow, after its guidance was filled in', async () => {
    const { source, done, press, until } = await start();
    source.rows.callflow = [{ callflowId: 'c1', displayName: 'Night shift', loopLimit: 3, contacts: [] }];
    press(':callflows\r');
    await until('1/1');
    press('astart\r');
    await until('Guidance');
    press('Server down\x13');
    await until('It is sent');
    expect(done.at(-1)).toMatchObject({
      act: 'submit',
      action: { operation: 'start-call' },
      subject: { id: 'c1' },
      texts: { guidanceId: 'Server down' },
    });
  });

  test('a pasted line break confirms nothing', async () => {
    const { source, press, until } = await start();
    press(':scopes\r');
    await until('1/4');
    press('D');
    await until('Type database 監視');
    press('\x1b[200~database 監視\r\x1b[201~');
    await until('Enter confirm');
    expect(source.requests).toEqual([]);
    press('\r');
    await until('It is done');
  });

  test('only the name of the item itself deletes it', async () => {
    const { source, press, until, text } = await start();
    press(':scopes\r');
    await until('1/4');
    press('D');
    await until('Delete: scope database 監視? Type database 監視 to confirm:');
    // Nothing, a part, another name, and the name followed by more text.
    for (const typed of ['', 'database', 'y', 'web-front', 'database 監視!']) {
      press(`\x15${typed}\r`);
      await settle();
      expect(text()).toContain('Type database 監視');
      expect(source.requests).toEqual([]);
    }
    press('\x1b');
    await settle();
    expect(text()).not.toContain('Type database 監視');
    press('D');
    await until('Type database 監視');
    press(' database 監視 \r');
    await until('It is done');
    expect(source.requests).toMatchObject([
      { action: { name: 'delete' }, subjects: [{ title: 'database 監視' }] },
    ]);
  });

  test('Enter is no yes, and neither is any other key', async () => {
    const { source, press, until, text } = await start();
    press(':scopes\r');
    await until('1/4');
    for (const key of ['\r', 'n', ' ', 'Y\x7f'.slice(1), '\x1b']) {
      press('areset\r');
      await until('[y/N]');
      press(key);
      await settle();
      expect(text()).not.toContain('[y/N]');
    }
    expect(source.requests).toEqual([]);
    press('areset\r');
    await until('[y/N]');
    press('Y');
    await until('It is done');
    expect(source.requests).toHaveLength(1);
  });

  test('what the server refuses is told, and nothing looks done', async () => {
    const { source, press, until, text } = await start();
    press(':scopes\r');
    await until('1/4');
    source.outcome = { text: 'Delete failed: database 監視: Conflict: still in use', failed: true };
    press(' kD');
    await until('Type database 監視');
    press('database 監視\r');
    await until('Delete failed: database 監視: Conflict: still in use');
    // The mark is kept for another attempt.
    expect(text()).toContain('>*Incident');
    expect(source.requests).toHaveLength(1);
  });

  test.each([
    ['D', 'delete'],
    ['n', 'create'],
    ['e', 'edit'],
    ['E', 'edit in the editor'],
    ['areset\r', 'an action of the menu'],
    [':delete\r', 'an action by its name'],
  ])('a read-only view refuses %j (%s), and says how to change that', async (keys) => {
    const { source, done, press, until } = await start({ context: { readonly: true } });
    press(':scopes\r');
    await until('1/4');
    press(keys);
    await until('--readonly');
    expect(source.requests).toEqual([]);
    expect(done).toEqual([]);
  });

  test.each([20, 40, 59, 60, 80, 120])(
    'at %i columns a read-only view says so, however long the title',
    async (columns) => {
      const {
        source,
        press,
        lines,
        unmount: end,
      } = await startTestTui({ columns, context: { readonly: true } });
      unmount = end;
      source.rows.scope![0]!.displayName =
        'a title that is far too long for the first line of any screen, 監視';
      const mark = columns === 20 ? '[read-on' : '[read-only]';
      for (const keys of ['', ':scopes\r', '\r']) {
        press(keys);
        await settle();
        expect(lines()[0]).toContain(mark);
        expect(lines()[0]!.trim()).not.toBe(mark);
      }
      expect(lines()[0]).toContain('a tit'.slice(0, columns === 20 ? 1 : 5));
    },
  );

  test('what is not allowed says which permission is missing', async () => {
    const { press, until } = await start({
      columns: 160,
      context: {
        permissions: ['alerthub:scopes:list', 'alerthub:scopes:get'],
        roles: { 'alerthub:administrator': ['alerthub:*:*'] },
      },
    });
    press(':scopes\r');
    await until('1/4');
    press('D');
    await until(
      'You need the permission alerthub:scopes:delete. Roles that grant it: alerthub:administrator',
    );
    press(':');
    await until('scopes');
  });
});

test('a storm of sizes leaves a whole frame', async () => {
  const { press, resize, lines } = await start();
  press(':scopes\r');
  for (const columns of [200, 1, 20, 7, 80]) {
    for (const rows of [60, 1, 5, 24]) {
      resize({ columns, rows });
      await settle();
      expect(lines()).toHaveLength(rows);
    }
  }
});

test('the wheel turns the rows, and takes the cursor along where it would leave the screen', async () => {
  const { source, press, until, lines, text } = await start({ rows: 8 });
  const [one] = source.rows.scope!;
  source.rows.scope = Array.from({ length: 30 }, (_, index) => ({
    ...one!,
    scopeId: `id ${index}`,
    displayName: `host ${index}.`,
  }));
  press(':scopes\r');
  await until('1/30');
  const [down, up] = ['\x1b[<65;3;3M', '\x1b[<64;3;3M'];
  press(down);
  await until('4/30');
  expect(lines().find((line) => line.startsWith('>'))).toContain('host 3.');
  expect(text()).not.toContain('host 2.');
  press(up);
  await until('host 0.');
  expect(lines().find((line) => line.startsWith('>'))).toContain('host 3.');
});

test.each([
  ['a list', ''],
  ['the filter', '/web'],
  ['the command line', ':sco'],
  ['a menu', 'a'],
  ['a question', 'D'],
  ['help', '?'],
  ['a form', 'e'],
])('Ctrl-C ends it whatever is open: %s', async (_name, keys) => {
  const { press, until, ended, source } = await start();
  press(':scopes\r');
  await until('1/4');
  press(keys);
  await settle();
  press('\x03');
  await ended;
  expect(source.requests).toEqual([]);
});

describe('a form', () => {
  test('is filled in, refused beside its field, and sent', async () => {
    const { done, mistakes, press, until, text } = await start({ rows: 40 });
    press(':scopes\r');
    await until('1/4');
    press('n');
    await until('Create: scope');
    expect(text()).toContain('Name *');
    mistakes.push({ path: 'thresholds.incident', reason: 'must be greater' });
    press('決済\x13');
    await until('! must be greater');
    expect(done).toMatchObject([{ act: 'submit', resource: 'scope', texts: { displayName: '決済' } }]);
    mistakes.length = 0;
    press('\x13');
    await until('It is sent');
    expect(text()).not.toContain('Create: scope');
  });

  test('that could not be sent stays, with all that was typed', async () => {
    const { press, until, text, fails } = await start({ rows: 40 });
    press(':scopes\r');
    await until('1/4');
    press('n');
    await until('Create: scope');
    fails.with = new Error('The server cannot be reached');
    press('決済\x13');
    await until('The server cannot be reached');
    expect(text()).toContain('Create: scope');
    expect(text()).toMatch(/Name \* +決済/);
    fails.with = undefined;
    press('\x13');
    await until('It is sent');
    expect(text()).not.toContain('Create: scope');
  });

  test('is not left with what was typed by one key', async () => {
    const { done, press, until, text } = await start({ rows: 40 });
    press(':scopes\r');
    await until('1/4');
    press('e');
    await until('Edit: scope database');
    press('x\x1b');
    await until('Press Esc again to discard');
    press('\x1b');
    await vi.waitFor(() => expect(text()).not.toContain('Edit: scope database'));
    expect(done).toEqual([]);
  });

  test('hands what was typed on to the editor', async () => {
    const { done, press, until } = await start();
    press(':scopes\r');
    await until('1/4');
    press('e');
    await until('Edit: scope');
    press('!\x0f');
    await vi.waitFor(() =>
      expect(done).toMatchObject([{ act: 'edit', texts: { displayName: 'database 監視!' } }]),
    );
  });
});

test('the mouse is given to the terminal and taken back', async () => {
  const { mice, press, until } = await start();
  press('m');
  await until('Mouse: select text');
  press('m');
  await until('Mouse: the wheel scrolls this view');
  await vi.waitFor(() => expect(mice).toEqual([false, true]));
});
