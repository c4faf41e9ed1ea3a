// What reaches beyond the screen: the clipboard, the browser, the editor, the shell.

import { entryNamed } from '../resource/entry-client.ts';
import type { Session } from '../signin/session.ts';
import { openBrowser } from '../term/open-browser.ts';
import type { Terminal } from '../term/terminal.ts';
import type { Effects } from './app.tsx';
import { editItem } from './edit-item.ts';
import { runEditor } from './run-editor.ts';
import type { Screen } from './screen.ts';
import { beginForm, submitForm } from './send-form.ts';
import type { Target } from './state.ts';
import type { AppContext } from './world.ts';

export interface EffectsOptions {
  session: Session;
  terminal: Terminal;
  context: AppContext;
  screen: Screen;
  /** Takes and gives back the raw keys. */
  raw(on: boolean): void;
  /** Somebody else had the terminal, which may have another size now. */
  resized(): void;
}

/** Characters that a clipboard sequence carries at most; terminals drop longer ones. */
const maxLength = 50_000;

export function createEffects({ session, terminal, context, screen, raw, resized }: EffectsOptions): Effects {
  const { t } = context;
  const aside = <T>(what: () => T): T => {
    screen.leave();
    raw(false);
    try {
      return what();
    } finally {
      raw(true);
      screen.enter();
      resized();
    }
  };
  return {
    async open({ target }) {
      const path = screenPath(target);
      if (path === undefined) return { text: t('tui.open.none'), failed: true };
      const address = session.origin + path;
      const opened = await openBrowser(address);
      return { text: opened ? t('tui.opened', { address }) : address, failed: false };
    },
    copy(text) {
      // OSC 52 (xterm): the terminal puts it into the clipboard, also over ssh.
      const kept = text.slice(0, maxLength);
      process.stdout.write(`\x1b]52;c;${Buffer.from(kept).toString('base64')}\x07`);
      const [first = '', ...more] = kept.split('\n');
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
        (text) => aside(() => runEditor(text, terminal.env)),
        signal,
      ),
    begin: (request, signal) => beginForm(session.transport, request, signal),
    submit: (request, signal) => submitForm(session.transport, context, request, signal),
    mouse: (on) => screen.listen(on),
    suspend() {
      // The shell has the terminal until it continues this process; the handler of that signal takes it back.
      screen.leave();
      raw(false);
      process.kill(process.pid, 'SIGSTOP');
    },
  };
}

/** The address of the console's screen; undefined for what has none. */
export function screenPath(target: Target): string | undefined {
  if (target.kind === 'home') return '/';
  if (target.kind === 'stream') return entryNamed('message').screen;
  const { screen, singleton } = entryNamed(target.resource);
  if (!screen) return undefined;
  const list = screen.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(target.params[name] ?? ''),
  );
  if (target.kind === 'list' || singleton || target.id === undefined) return list;
  return `${list}/${encodeURIComponent(target.id)}`;
}
