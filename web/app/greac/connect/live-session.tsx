// A live session: terminal, participants, questions, search and files. Loaded when a session is opened.
import { defaultTerminalSettings } from '@yagura/core/greac/session-parameters';
import type { ViewerMode } from '@yagura/core/greac/stream/viewer-protocol';
import { useCallback, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import type { MenuItem } from '../../ui/overlay/menu.tsx';
import { useToast } from '../../ui/overlay/toast.tsx';
import { toggleFullScreen } from '../../ui/toggle-full-screen.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { FilesPanel } from '../files/files-panel.tsx';
import { TransferList } from '../files/transfer-list.ts';
import { type TerminalSettings, webAddress } from './create-terminal.ts';
import { KeyRow } from './key-row.tsx';
import { checkPaste } from './paste-guard.ts';
import { SearchBar } from './search-bar.tsx';
import { GatewayKeyDialog, HostKeyDialog, LinkDialog, PasteDialog } from './session-dialogs.tsx';
import { SessionHeader } from './session-header.tsx';
import { SessionNotes } from './session-notes.tsx';
import { SessionTerminal, type TerminalHandle } from './session-terminal.tsx';
import { useSession } from './use-session.ts';

export interface LiveSessionProps {
  sessionId: string;
  destinationId: string;
  name: string;
  protocol: string;
  mode: ViewerMode;
  /** Parameters of the destination, if the user may see it; the attached session has them in any case. */
  parameters: Record<string, unknown> | null;
  hasFiles: boolean;
  mayOpen: boolean;
  mayClose: boolean;
}

export function LiveSession(props: LiveSessionProps) {
  const { t } = useTranslation();
  const toast = useToast();
  const [controller, state] = useSession(props.sessionId, props.mode);
  const [transfers] = useState(() => new TransferList(controller.transfers));
  const listFiles = useCallback(
    (path: string, signal: AbortSignal) => controller.transfers.list(path, { signal }),
    [controller],
  );
  const terminal = useRef<TerminalHandle>(null);
  const toolbar = useRef<HTMLElement>(null);
  const ctrl = useRef(false);
  const [isCtrlActive, setCtrlActive] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [isFilesOpen, setFilesOpen] = useState(false);
  const [isScreenReaderMode, setScreenReaderMode] = useState(false);
  const [pasting, setPasting] = useState<{ text: string; lines: string[] } | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const { parameters } = state;
  const settings = { ...defaultTerminalSettings, ...props.parameters, ...parameters } as TerminalSettings & {
    disableCopy?: boolean;
    disablePaste?: boolean;
  };
  const isConnected = state.status.state === 'connected';
  const setCtrl = (isActive: boolean) => {
    ctrl.current = isActive;
    setCtrlActive(isActive);
  };
  const focusTerminal = () => terminal.current?.focus();

  const paste = (text: string) => {
    if (settings.disablePaste) return toast.warning(t('terminal.no-paste'));
    const decision = checkPaste(text);
    if (decision.kind === 'too-long') return toast.error(t('terminal.paste-long'));
    if (decision.kind === 'ask') return setPasting(decision);
    terminal.current?.paste(decision.text);
    focusTerminal();
  };
  const pasteFromClipboard = () =>
    void navigator.clipboard?.readText().then(paste, () => toast.warning(t('terminal.clipboard-denied')));
  const copySelection = () => {
    if (settings.disableCopy) return toast.warning(t('terminal.no-copy'));
    void navigator.clipboard?.writeText(terminal.current?.selection() ?? '').then(
      () => toast.success(t('terminal.copied')),
      () => toast.warning(t('terminal.clipboard-denied')),
    );
  };
  const items: MenuItem[] = [
    { label: t('terminal.copy'), icon: 'copy', disabled: settings.disableCopy, onSelect: copySelection },
    { label: t('terminal.paste'), disabled: settings.disablePaste, onSelect: pasteFromClipboard },
    { label: t('terminal.search'), icon: 'search', onSelect: () => setSearching(true) },
    {
      label: t('terminal.screen-reader'),
      checked: isScreenReaderMode,
      separated: true,
      onSelect: () => setScreenReaderMode(!isScreenReaderMode),
    },
    {
      label: t('terminal.full-screen'),
      onSelect: toggleFullScreen,
    },
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
        >
          {props.hasFiles && (
            <Button
              aria-expanded={isFilesOpen}
              disabled={!isConnected}
              onClick={() => setFilesOpen(!isFilesOpen)}
            >
              {t('files.title')}
            </Button>
          )}
        </SessionHeader>
        <SessionNotes
          notes={[
            !state.isRecording && t('terminal.not-recorded'),
            props.protocol === 'telnet' && t('terminal.clear-text'),
            isConnected && state.viewers.length > 0 && !state.hasControl && t('terminal.watching'),
          ]}
        />
        {isSearching && (
          <SearchBar
            onSearch={(text, direction) => terminal.current?.search(text, direction) ?? false}
            onClose={() => {
              setSearching(false);
              focusTerminal();
            }}
          />
        )}
      </div>
      <div
        className={classNames(
          'grid min-h-0',
          isFilesOpen && 'max-md:grid-rows-2 md:grid-cols-[minmax(0,1fr)_24rem]',
        )}
      >
        <main className="grid min-h-0 min-w-0 grid-rows-[minmax(0,1fr)_auto]">
          <SessionTerminal
            controller={controller}
            settings={settings}
            label={t('terminal.label', { name: props.name })}
            hasControl={state.hasControl && isConnected}
            isScreenReaderMode={isScreenReaderMode}
            ctrl={ctrl}
            onCtrlUsed={() => setCtrl(false)}
            mayCopy={!settings.disableCopy}
            onPaste={paste}
            onLink={(text) => setLink(webAddress(text))}
            onSearch={() => setSearching(true)}
            onEscape={() => toolbar.current?.querySelector<HTMLElement>('button, a')?.focus()}
            handle={terminal}
          />
          <KeyRow
            isCtrlActive={isCtrlActive}
            onCtrl={() => setCtrl(!ctrl.current)}
            onPress={(key) => terminal.current?.press(key)}
          />
        </main>
        {isFilesOpen && (
          <FilesPanel
            list={listFiles}
            transfers={transfers}
            isConnected={isConnected}
            mayUpload={state.hasControl}
            onClose={() => setFilesOpen(false)}
          />
        )}
      </div>
      <HostKeyDialog controller={controller} state={state} />
      <GatewayKeyDialog controller={controller} state={state} />
      <LinkDialog address={link} onClose={() => setLink(null)} />
      <PasteDialog
        lines={pasting?.lines ?? null}
        onPaste={() => {
          terminal.current?.paste(pasting!.text);
          setPasting(null);
          focusTerminal();
        }}
        onClose={() => setPasting(null)}
      />
    </div>
  );
}
