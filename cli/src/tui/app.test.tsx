import { render } from 'ink-testing-library';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { testTerminal } from '../../test/terminal.ts';
import { wideMeasure } from '../term/measure.ts';
import { App } from './app.tsx';
import type { Loaded } from './reducer.ts';
import type { Source } from './source.ts';
import type { Request, Target } from './state.ts';

const now = Date.parse('2026-01-31T09:00:00Z');

/** Data that the test gives and changes; it says itself when to look. */
class Data implements Source {
  scopes = ['database 監視', 'web-front', 'web-back'];
  broken: Error | undefined;
  requests: Request[] = [];
  #ring: () => void = () => undefined;

  async load({ view, id }: Target): Promise<Loaded> {
    if (this.broken) throw this.broken;
    if (id !== undefined) {
      const lines = [{ depth: 0, text: `inside ${id}`, link: { view: 'messages' as const, id: 'm1' } }];
      return { kind: 'detail', title: `title ${id}`, lines };
    }
    const names = view === 'scopes' ? this.scopes : ['{"cpu":97}'];
    const items = names.map((name) => ({
      id: name,
      row:
        view === 'scopes'
          ? { status: 'incident', displayName: name, severity: 3, lastEventAt: '2026-01-31T08:59:00Z' }
          : {
              receivedAt: '2026-01-31T08:59:00Z',
              summary: name,
              ruleResult: { matched: 1, total: 2 },
              receiveSlotId: 'mon',
            },
      search: name,
    }));
    return {
      kind: 'list',
      items,
      total: items.length,
      counts: view === 'scopes' ? { incident: items.length } : {},
    };
  }

  async perform(request: Request): Promise<string> {
    this.requests.push(request);
    return 'It is done';
  }

  async *looks(signal: AbortSignal): AsyncGenerator<void> {
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#ring = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      if (!signal.aborted) yield;
    }
  }

  ring(): void {
    this.#ring();
  }
}

let unmount: () => void = () => undefined;
afterEach(() => unmount());

async function start(columns: number, rows: number, language: 'en' | 'ja' = 'en') {
  const { terminal } = await testTerminal({ language });
  const data = new Data();
  const presenter = { language, t: terminal.t, timeZone: 'UTC', names: new Map(), exact: true };
  const brush = { presenter, measure: await wideMeasure(), paint: terminal.out.paint };
  const app = render(
    <App
      source={data}
      brush={brush}
      tell={(error) => (error as Error).message}
      now={() => now}
      size={() => ({ columns, rows })}
    />,
  );
  unmount = app.unmount;
  await vi.waitFor(() => expect(app.stdin.listenerCount('readable')).toBeGreaterThan(0));
  const lines = () => (app.lastFrame() ?? '').split('\n');
  const until = (text: string) => vi.waitFor(() => expect(app.lastFrame()).toContain(text));
  await until('data');
  return { app, data, lines, until, press: (keys: string) => app.stdin.write(keys) };
}

describe.each([
  [80, 24, 'en'],
  [120, 40, 'en'],
  [40, 10, 'ja'],
  [80, 24, 'ja'],
] as const)('at %ix%i in %s', (columns, rows, language) => {
  test('shows scopes, moves, enters and comes back', async () => {
    const { lines, until, press } = await start(columns, rows, language);
    expect(lines()).toHaveLength(rows - 1);
    expect(lines()[2]).toMatch(/^> .*database/);
    press('jj');
    await vi.waitFor(() => expect(lines()[4]).toMatch(/^> .*web-back/));
    press('\r');
    await until('inside web-back');
    press('\r');
    await until('inside m1');
    press('\x1b');
    await until('inside web-back');
  });
});

test('at 20x5 there is still something to see', async () => {
  const { lines } = await start(20, 5);
  expect(lines()).toHaveLength(4);
  expect(lines()[1]).toMatch(/^> Incident/);
});

test('a pasted filter counts letter by letter', async () => {
  const { lines, press } = await start(80, 24);
  press('/web\r');
  await vi.waitFor(() => expect(lines().filter((line) => line.includes('web-'))).toHaveLength(2));
  await vi.waitFor(() => expect(lines().some((line) => line.includes('database'))).toBe(false));
});

test('follows what changes, and keeps it when the server is away', async () => {
  const { data, until, lines } = await start(80, 24);
  data.scopes = ['database 監視', 'new scope'];
  data.ring();
  await until('new scope');
  data.broken = new Error('The server cannot be reached');
  data.ring();
  await until('No answer (shown: just now): The server cannot be reached');
  expect(lines().some((line) => line.includes('new scope'))).toBe(true);
  data.broken = undefined;
  data.ring();
  await until('? keys');
});

test('asks before it resets', async () => {
  const { data, until, press } = await start(80, 24);
  press('R');
  await until('Reset all severities of database 監視?');
  expect(data.requests).toEqual([]);
  press('y');
  await until('It is done');
  expect(data.requests).toMatchObject([{ act: 'reset', target: { view: 'scopes', id: 'database 監視' } }]);
});

test('tab shows the messages, ? the keys', async () => {
  const { until, press } = await start(80, 24);
  press('\t');
  await until('{"cpu":97}');
  await until('1/2');
  press('?');
  await until('(asks first)');
});
