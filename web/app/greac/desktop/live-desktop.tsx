// A live desktop session: picture, participants and questions. Loaded when a session is opened.
import type { ClipboardRefusal } from '@yagura/core/greac/stream/viewer-protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { MenuItem } from '../../ui/overlay/menu.tsx';
import { useToast } from '../../ui/overlay/toast.tsx';
import { toggleFullScreen } from '../../ui/toggle-full-screen.ts';
import { useTranslation } from '../../ui/translation.tsx';
import type { LiveSessionProps } from '../connect/live-session.tsx';
import { GatewayKeyDialog, HostKeyDialog } from '../connect/session-dialogs.tsx';
import { SessionHeader } from '../connect/session-header.tsx';
import { SessionNotes } from '../connect/session-notes.tsx';
import { useSession } from '../connect/use-session.ts';
import { composedTextEntry, hasOtherScripts, rememberComposedTextEntry } from './composed-text.ts';
import { loadDesktopClient } from './desktop-client.ts';
import { DesktopClipboard } from './desktop-clipboard.ts';
import { type DesktopHandle, DesktopView } from './desktop-view.tsx';
import { ctrlAltDelete } from './scan-codes.ts';

const refusalTexts = {
  'not-allowed': 'terminal.no-paste',
  unavailable: 'terminal.no-clipboard',
  'too-long': 'terminal.clipboard-long',
} as const;

export function LiveDesktop(props: Omit<LiveSessionProps, 'protocol' | 'hasFiles'>) {
  const { t } = useTranslation();
  const toast = useToast();
  const [controller, state] = useSession(props.sessionId, props.mode);
  const desktop = useRef<DesktopHandle>(null);
  const toolbar = useRef<HTMLElement>(null);
  const [isFailed, setFailed] = useState(false);
  // While the gateway connects.
  useEffect(() => void loadDesktopClient().catch(() => undefined), []);
  const isConnected = state.status.state === 'connected';
  const onShown = useCallback(() => setFailed(false), []);
  const settings = { ...props.parameters, ...state.parameters } as {
    displayWidth?: number;
    displayHeight?: number;
    disableCopy?: boolean;
    disablePaste?: boolean;
  };
  const [copied, setCopied] = useState<string | null>(null);
  const [entry, setEntry] = useState(() => composedTextEntry(props.destinationId));
  const pastesText = !state.takesText || entry === 'paste';
  const isGiving = useRef(false);
  const isHinted = useRef(false);
  const tell = useRef({ copied: (_text: string) => {}, refused: (_reason: ClipboardRefusal) => {} });
  tell.current = {
    copied(text) {
      setCopied(text);
      // Where the browser wants a click for that, the menu has it.
      void navigator.clipboard?.writeText(text).then(
        () => setCopied(null),
        () => undefined,
      );
    },
    refused(reason) {
      if (!isGiving.current) toast.warning(t(refusalTexts[reason]));
    },
  };
  const [clipboard] = useState(
    () =>
      new DesktopClipboard({
        send: (text) => controller.sendClipboard(text),
        onCopied: (text) => tell.current.copied(text),
        onRefused: (reason) => tell.current.refused(reason),
        later(callback, ms) {
          const timer = setTimeout(callback, ms);
          return () => clearTimeout(timer);
        },
      }),
  );
  useEffect(() => {
    controller.onClipboard = (message) => clipboard.receive(message);
  }, [controller, clipboard]);
  const give = async (text: string) => {
    isGiving.current = true;
    const isGiven = !settings.disablePaste && (await clipboard.give(text));
    isGiving.current = false;
    if (!isGiven) toast.warning(t('terminal.composed-refused'));
    return isGiven;
  };
  const hint = (text: string) => {
    if (entry || isHinted.current || settings.disablePaste || !hasOtherScripts(text)) return;
    isHinted.current = true;
    toast.info(t('terminal.composed-hint'));
  };
  const copy = () =>
    void navigator.clipboard?.writeText(copied!).then(
      () => {
        setCopied(null);
        toast.success(t('terminal.desktop-copied'));
      },
      () => toast.warning(t('terminal.clipboard-denied')),
    );
  const paste = () =>
    void navigator.clipboard?.readText().then(
      (text) => {
        desktop.current?.paste(text);
        desktop.current?.focus();
      },
      () => toast.warning(t('terminal.clipboard-denied')),
    );
  const items: MenuItem[] = [
    {
      label: t('terminal.desktop-copy'),
      icon: 'copy',
      disabled: settings.disableCopy || copied === null,
      onSelect: copy,
    },
    { label: t('terminal.paste'), disabled: settings.disablePaste || !state.hasControl, onSelect: paste },
    {
      label: t('terminal.paste-composed'),
      checked: pastesText,
      disabled: settings.disablePaste || !state.hasControl || !state.takesText,
      onSelect() {
        const next = pastesText ? 'type' : 'paste';
        setEntry(next);
        rememberComposedTextEntry(props.destinationId, next);
        desktop.current?.focus();
      },
    },
    {
      label: t('terminal.ctrl-alt-del'),
      separated: true,
      disabled: !state.hasControl,
      onSelect() {
        desktop.current?.press(ctrlAltDelete);
        desktop.current?.focus();
      },
    },
    { label: t('terminal.full-screen'), separated: true, onSelect: toggleFullScreen },
  ];
  return (
    <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)]">
      <div>
        <SessionHeader
          toolbar={toolbar}
          name={props.name}
          destinationId={props.destinationId}
          mayOpen={props.mayOpen}
          mayClose={props.mayClose}
          controller={controller}
          state={state}
          items={items}
        />
        <SessionNotes
          notes={[
            !state.isRecording && t('terminal.not-recorded'),
            isFailed && isConnected && t('terminal.desktop-failed'),
            isConnected && state.viewers.length > 0 && !state.hasControl && t('terminal.watching'),
          ]}
        />
      </div>
      <main className="grid min-h-0 min-w-0">
        <DesktopView
          controller={controller}
          label={t('terminal.desktop-label', { name: props.name })}
          isConnected={isConnected}
          hasControl={state.hasControl && isConnected}
          width={settings.displayWidth ?? null}
          height={settings.displayHeight ?? null}
          offer={settings.disablePaste ? null : (text) => clipboard.offer(text)}
          give={pastesText ? give : null}
          onTyped={hint}
          onShown={onShown}
          onFailed={() => setFailed(true)}
          onEscape={() => toolbar.current?.querySelector<HTMLElement>('button, a')?.focus()}
          handle={desktop}
        />
      </main>
      <HostKeyDialog controller={controller} state={state} isCertificate />
      <GatewayKeyDialog controller={controller} state={state} />
    </div>
  );
}
