// Runs the full-screen view on a virtual screen with test data.
import type { ProblemKind } from '@yagura/core/http/problem';
import type { RetryOptions } from '@yagura/core/http/retry';
import type { Language } from '@yagura/core/i18n/translator';
import { render } from 'ink';
import { expect, vi } from 'vitest';
import { resourceNamed } from '../src/resource/meta/resource-client.ts';
import type { Row } from '../src/resource/meta/row.ts';
import { wideMeasure } from '../src/terminal/measure.ts';
import { App, type Effects } from '../src/tui/app.tsx';
import type { DataSource } from '../src/tui/data/data-source.ts';
import { appendSection } from '../src/tui/data/detail-section.ts';
import type { FieldError } from '../src/tui/form/form-document.ts';
import { memoizeTranslate } from '../src/tui/memoize-translate.ts';
import type { Outcome } from '../src/tui/reducer.ts';
import { FrameStream } from '../src/tui/screen/frame-stream.ts';
import { KeyReader } from '../src/tui/screen/keyboard.ts';
import type { AppContext } from '../src/tui/state/app-context.ts';
import type { LoadRange } from '../src/tui/state/list-view.ts';
import type { Detail, ListItem, PendingEffect, View } from '../src/tui/state/state.ts';
import type { RenderContext } from '../src/tui/views/render-context.ts';
import { testTerminal } from './test-terminal.ts';

export const now = Date.parse('2026-01-31T09:00:00Z');

export async function testContext(
  language: Language = 'en',
  overrides: Partial<AppContext> = {},
): Promise<AppContext> {
  const { terminal } = await testTerminal({ language });
  return {
    t: memoizeTranslate(terminal.t),
    language,
    spaceName: 'Harbour 運用',
    userName: 'Taro',
    isUser: true,
    readonly: false,
    permissions: 'everything',
    roles: {},
    ...overrides,
  };
}

export async function testRenderContext(context: AppContext): Promise<RenderContext> {
  const { terminal } = await testTerminal({ language: context.language });
  return {
    presenter: {
      language: context.language,
      t: context.t,
      timeZone: 'UTC',
      names: new Map(),
      exact: true,
      now: Date.now,
    },
    measure: await wideMeasure(),
    paint: terminal.out.paint,
  };
}

export function itemsOf(resource: string, rows: readonly Row[]): ListItem[] {
  const meta = resourceNamed(resource);
  return rows.map((row) => ({
    id: String(row[meta.id]),
    row,
    searchText: Object.values(row).join(' ').toLowerCase(),
  }));
}

const scope = (id: number, status: string, displayName: string): Row => ({
  scopeId: `00000000-0000-7000-8000-${String(id).padStart(12, '0')}`,
  status,
  displayName,
  severity: { incident: 12, warning: 3, normal: 0 }[status],
  recoveryTime: null,
  lastEventAt: '2026-01-31T08:58:00Z',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-30T00:00:00Z',
});

/** Data source controlled by the test, which also triggers reloads. */
export class TestSource implements DataSource {
  readonly receivesChanges = true;
  rows: Record<string, Row[]> = {
    scope: [
      scope(1, 'incident', 'database 監視'),
      scope(2, 'warning', 'web-front'),
      scope(3, 'normal', 'web-back'),
      scope(4, 'normal', '決済 API（東京リージョン）'),
    ],
  };
  broken: Error | undefined;
  requests: PendingEffect[] = [];
  outcome: Outcome = { text: 'It is done', failed: false };
  #context: AppContext;
  #render: RenderContext;
  #ring: () => void = () => undefined;

  constructor(context: AppContext, render: RenderContext) {
    this.#context = context;
    this.#render = render;
  }

  /** Maximum rows per response. */
  page = 1000;

  async load(view: View, range: LoadRange) {
    if (this.broken) throw this.broken;
    if (view.kind === 'list') {
      const rows = this.rows[view.resource] ?? [];
      const offset = range === 'all' ? 0 : Math.max(0, range.from - 1);
      const items = itemsOf(view.resource, rows.slice(offset, offset + this.page));
      return { type: 'rows' as const, rows: { items, offset, total: rows.length, names: new Map() } };
    }
    const home = view.target.kind === 'home';
    const detail: Detail = { lines: [], tables: [] };
    const rows = this.rows.scope!.filter((row) => !home || row.status !== 'normal');
    const section = {
      key: 'scopes',
      title: this.#context.t('tui.part.scopes'),
      meta: resourceNamed('scope'),
      params: {},
      rows,
      total: rows.length,
      names: new Map(),
      fields: ['status', 'displayName', 'severity', 'lastEventAt'],
    };
    if (home) {
      return {
        type: 'sheet' as const,
        title: this.#context.t('tui.home'),
        detail: appendSection(detail, section, this.#render.presenter, now),
      };
    }
    const id = view.target.kind === 'item' ? view.target.id : undefined;
    const row = this.rows.scope!.find(({ scopeId }) => scopeId === id) ?? this.rows.scope![0]!;
    const lines = Object.entries(row).map(([label, value]) => ({
      key: label,
      depth: 0,
      label,
      text: String(value),
    }));
    return { type: 'sheet' as const, title: String(row.displayName), row, detail: { lines, tables: [] } };
  }

  async perform(request: PendingEffect): Promise<Outcome> {
    this.requests.push(request);
    return this.outcome;
  }

  async *refreshes(signal: AbortSignal): AsyncGenerator<void> {
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

export interface TestTuiOptions {
  columns?: number;
  rows?: number;
  language?: Language;
  context?: Partial<AppContext>;
  /** Initial command, as in the command bar. */
  initialCommand?: string;
}

/** Starts the view; `unmount` cleans up. */
export async function startTestTui(options: TestTuiOptions = {}) {
  const { columns = 80, rows = 24, language = 'en' } = options;
  const context = await testContext(language, options.context);
  const renderContext = await testRenderContext(context);
  const source = new TestSource(context, renderContext);
  const done: PendingEffect[] = [];
  const errors: FieldError[] = [];
  const fails: { with: Error | undefined } = { with: undefined };
  const mice: boolean[] = [];
  const effects: Effects = {
    connect(request) {
      done.push(request);
      return { text: 'connected', failed: false };
    },
    async open(request) {
      done.push(request);
      return { text: 'opened', failed: false };
    },
    copy: (text) => ({ text: `copied ${text}`, failed: false }),
    async edit(request) {
      done.push(request);
      return undefined;
    },
    async loadForm({ subject, action }) {
      const row = source.rows.scope!.find(({ scopeId }) => scopeId === subject.id);
      const fields = Object.keys(action.bodyFields ?? {});
      return {
        base: Object.fromEntries(
          fields.flatMap((name) => (row?.[name] === undefined ? [] : [[name, row[name]]])),
        ),
        etag: undefined,
      };
    },
    async submit(request) {
      if (fails.with) throw fails.with;
      done.push(request);
      return errors.length > 0 ? errors : { text: 'It is sent', failed: false };
    },
    mouse: (on) => mice.push(on),
    suspend: () => undefined,
  };
  const size = { columns, rows };
  const reader = new KeyReader();
  let press: (keys: readonly string[]) => void = () => undefined;
  let resize: () => void = () => undefined;
  let startWait: NonNullable<RetryOptions['onWait']> = () => undefined;
  let shown: readonly string[] = [];
  const frameStream = new FrameStream(
    () => size,
    (lines) => {
      shown = lines;
    },
  );
  const app = render(
    <App
      context={context}
      {...(options.initialCommand ? { initialCommand: options.initialCommand } : {})}
      source={source}
      effects={effects}
      render={renderContext}
      formatError={(error) => (error as Error).message}
      now={() => now}
      size={() => ({ ...size })}
      subscribeToKeys={(listener) => {
        press = listener;
        return () => undefined;
      }}
      subscribeToWaits={(listener) => {
        startWait = listener;
        return () => undefined;
      }}
      subscribeToResize={(listener) => {
        resize = listener;
        return () => undefined;
      }}
      onCursor={() => undefined}
    />,
    {
      stdout: frameStream as unknown as NodeJS.WriteStream,
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  );
  const text = () => shown.join('\n');
  const until = (wanted: string) =>
    vi.waitFor(() => expect(text()).toContain(wanted), { timeout: 10_000, interval: 10 });
  return {
    source,
    done,
    /** Validation errors returned when a form is submitted. */
    mistakes: errors,
    /** Why submitting a form fails. */
    fails,
    /** Mouse report settings requested from the terminal. */
    mice,
    text,
    lines: () => shown,
    until,
    /** Feeds input as sent by a terminal. */
    press: (keys: string) => press([...reader.push(keys), ...reader.flush()]),
    /** A call waits until the server is asked again. */
    startWait: (milliseconds: number, kind: ProblemKind) => startWait(milliseconds, kind),
    resize(to: { columns: number; rows: number }) {
      Object.assign(size, to);
      resize();
    },
    unmount: app.unmount,
    /** Resolves when the view has ended on its own. */
    ended: app.waitUntilExit(),
  };
}
