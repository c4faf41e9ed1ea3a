// Side effects of the TUI: clipboard, browser, editor, suspend.

import { resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Session } from '../../signin/session.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Effects } from '../app.tsx';
import type { Screen } from '../screen/screen.ts';
import type { AppContext } from '../state/app-context.ts';
import type { ViewTarget } from '../state/state.ts';
import { editItem } from './edit-item.ts';
import { runConnect } from './run-connect.ts';
import { runEditor } from './run-editor.ts';
import { loadForm, submitForm } from './submit-form.ts';

export interface EffectsOptions {
  session: Session;
  terminal: Terminal;
  context: AppContext;
  screen: Screen;
  /** Switches raw key input on or off. */
  setRawMode(on: boolean): void;
  /** Called after another program used the terminal, whose size may have changed. */
  onResize(): void;
}

/** Maximum characters of a clipboard sequence; terminals drop longer ones. */
const maxClipboardLength = 50_000;

export function createEffects({
  session,
  terminal,
  context,
  screen,
  setRawMode,
  onResize,
}: EffectsOptions): Effects {
  const { t } = context;
  const withTerminal = <T>(run: () => T): T => {
    screen.leave();
    setRawMode(false);
    try {
      return run();
    } finally {
      setRawMode(true);
      screen.enter();
      onResize();
    }
  };
  return {
    connect({ id }) {
      const status = withTerminal(() => runConnect(terminal, id));
      return { text: t(status === 0 ? 'tui.connect.back' : 'tui.connect.failed'), failed: status !== 0 };
    },
    async open({ target }) {
      const path = consolePath(target);
      if (path === undefined) return { text: t('tui.open.none'), failed: true };
      const address = session.origin + path;
      const { openBrowser } = await import('../../terminal/open-browser.ts');
      const opened = await openBrowser(address);
      return { text: opened ? t('tui.opened', { address }) : address, failed: false };
    },
    copy(text) {
      // OSC 52 (xterm): the terminal sets the clipboard, also over ssh.
      const clipped = text.slice(0, maxClipboardLength);
      process.stdout.write(`\x1b]52;c;${Buffer.from(clipped).toString('base64')}\x07`);
      const [first = '', ...more] = clipped.split('\n');
      return {
        text: t(more.length > 0 ? 'tui.copied.many' : 'tui.copied', { text: first, count: more.length + 1 }),
        failed: false,
      };
    },
    edit: (request, signal) =>
      editItem(
        session.transport,
        context,
        request,
        (text) => withTerminal(() => runEditor(text, terminal.env)),
        signal,
      ),
    loadForm: (request, signal) => loadForm(session.transport, request, signal),
    submit: (request, signal) => submitForm(session.transport, context, request, signal),
    mouse: (on) => screen.setMouse(on),
    suspend() {
      // The shell controls the terminal until it sends SIGCONT; the handler of that signal restores the
      // screen.
      screen.leave();
      setRawMode(false);
      process.kill(process.pid, 'SIGSTOP');
    },
  };
}

/** Path of the corresponding console page; undefined when there is none. */
export function consolePath(target: ViewTarget): string | undefined {
  if (target.kind === 'home') return '/';
  if (target.kind === 'sonar') return resourceNamed('network').screen;
  if (target.kind === 'stream') return resourceNamed('message').screen;
  const { screen, singleton } = resourceNamed(target.resource);
  if (!screen) return undefined;
  const list = screen.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(target.params[name] ?? ''),
  );
  if (target.kind === 'list' || singleton || target.id === undefined) return list;
  return `${list}/${encodeURIComponent(target.id)}`;
}
