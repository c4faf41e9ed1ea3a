// Files of the destination: list, download and upload.
import { formatBytes } from '@yagura/core/format/bytes';
import type { FileList } from '@yagura/core/greac/stream/file-transfers';
import { TransferError } from '@yagura/core/greac/stream/file-transfers';
import { transferReasonText } from '@yagura/core/greac/stream/reason-texts';
import type { RemoteFile } from '@yagura/core/greac/stream/viewer-protocol';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { joinPath, normalizePath } from './remote-path.ts';
import { canStreamToDisk } from './save-download.ts';
import type { TransferItem, TransferList } from './transfer-list.ts';

interface FilesPanelProps {
  list(path: string, signal: AbortSignal): Promise<FileList>;
  transfers: TransferList;
  isConnected: boolean;
  /** The gateway accepts uploads only from the participant in control. */
  mayUpload: boolean;
  onClose(): void;
}

export function FilesPanel({ list, transfers, isConnected, mayUpload, onClose }: FilesPanelProps) {
  const { t } = useTranslation();
  const [path, setPath] = useState('/');
  const { files, failure, reload } = useFolder(list, path, isConnected);
  const chooser = useRef<HTMLInputElement>(null);
  const upload = async (chosen: readonly File[]) => {
    await Promise.all(chosen.map((file) => transfers.upload(joinPath(path, file.name), file)));
    reload();
  };
  return (
    <section
      aria-label={t('files.title')}
      className="flex min-h-0 flex-col gap-2 overflow-auto border-line bg-surface p-3 text-sm max-md:border-t md:border-l"
    >
      <header className="flex items-center gap-2">
        <h2 className="flex-1 font-semibold">{t('files.title')}</h2>
        <Button size="small" disabled={!isConnected || !mayUpload} onClick={() => chooser.current?.click()}>
          {t('files.upload')}
        </Button>
        <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={t('files.upload')}
          onChange={(event) => {
            void upload([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </header>
      {isConnected && !mayUpload && <p className="text-xs text-muted">{t('stream.file.not-in-control')}</p>}
      <PathForm key={path} path={path} onOpen={setPath} />
      {failure !== null && (
        <p role="alert" className="text-danger-fg">
          {t(transferReasonText(failure))}
        </p>
      )}
      {files ? (
        <FileTable
          files={files.items}
          onFolder={(name) => setPath(joinPath(path, name))}
          onDownload={({ name, size }) => void transfers.download(joinPath(path, name), name, size)}
        />
      ) : (
        failure === null && <p className="text-muted">{t('files.loading')}</p>
      )}
      {files?.isTruncated && <p className="text-muted">{t('files.truncated')}</p>}
      <Transfers transfers={transfers} />
      {!canStreamToDisk() && <p className="text-xs text-muted">{t('files.large')}</p>}
    </section>
  );
}

function PathForm({ path, onOpen }: { path: string; onOpen(path: string): void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(path);
  return (
    <form
      className="flex gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        onOpen(normalizePath(typed));
      }}
    >
      <IconButton
        icon="up"
        label={t('files.up')}
        disabled={path === '/'}
        onClick={() => onOpen(normalizePath(`${path}/..`))}
      />
      <input
        aria-label={t('files.path')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        spellCheck={false}
        autoComplete="off"
        className={`${controlClass} h-7 min-w-0 flex-1 font-mono text-xs`}
      />
      <Button size="small" type="submit">
        {t('files.go')}
      </Button>
    </form>
  );
}

function FileTable(props: {
  files: readonly RemoteFile[];
  onFolder(name: string): void;
  onDownload(file: RemoteFile): void;
}) {
  const { t } = useTranslation();
  if (props.files.length === 0) return <p className="text-muted">{t('files.empty')}</p>;
  const sorted = props.files.toSorted(
    (a, b) => Number(b.kind === 'directory') - Number(a.kind === 'directory') || a.name.localeCompare(b.name),
  );
  return (
    <ul className="grid">
      {sorted.map((file) => {
        const isFolder = file.kind === 'directory';
        const isOpenable = isFolder || file.kind === 'file' || file.kind === 'link';
        const label = t(isFolder ? 'files.folder' : 'files.download', { name: file.name });
        return (
          <li key={file.name} className="border-b border-line py-0.5">
            <button
              type="button"
              title={label}
              aria-label={label}
              disabled={!isOpenable}
              onClick={() => (isFolder ? props.onFolder(file.name) : props.onDownload(file))}
              className="flex w-full items-center gap-2 rounded-md px-1 py-1 text-left hover:bg-hover disabled:opacity-55"
            >
              <Icon name={isFolder ? 'right' : 'arrow-down'} size={13} />
              <span className="min-w-0 flex-1 break-all">{file.name}</span>
              <span className="shrink-0 text-xs text-muted">
                {file.size !== null && !isFolder && formatBytes(file.size)}
              </span>
              {file.modifiedAt && (
                <span className="shrink-0 text-xs text-muted max-lg:hidden">
                  <Time value={file.modifiedAt} />
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Transfers({ transfers }: { transfers: TransferList }) {
  const { t } = useTranslation();
  const items = useSyncExternalStore(transfers.subscribe, transfers.getState, transfers.getState);
  if (items.length === 0) return null;
  return (
    <section className="grid gap-1">
      <h3 className="text-xs font-semibold">{t('files.transfers')}</h3>
      <ul className="grid gap-1">
        {items.map((item) => (
          <li key={item.id} className="grid gap-0.5 text-xs">
            <div className="flex items-center gap-2">
              <Icon name={item.direction === 'upload' ? 'arrow-up' : 'arrow-down'} size={13} />
              <span className="min-w-0 flex-1 truncate">{item.name}</span>
              <TransferState item={item} />
              {item.state === 'running' && (
                <IconButton
                  icon="close"
                  label={t('files.cancel', { name: item.name })}
                  onClick={() => transfers.cancel(item.id)}
                />
              )}
            </div>
            {item.state === 'running' && (
              <progress
                aria-label={item.name}
                className="h-1.5 w-full"
                {...(item.size === null ? {} : { value: item.bytes, max: Math.max(item.size, 1) })}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function TransferState({ item }: { item: TransferItem }) {
  const { t } = useTranslation();
  switch (item.state) {
    case 'running':
      return <span className="text-muted">{formatBytes(item.bytes)}</span>;
    case 'done':
      return <span role="status">{t('files.done')}</span>;
    case 'canceled':
      return <span className="text-muted">{t('files.canceled')}</span>;
    case 'failed':
      return (
        <span role="alert" className="text-danger-fg">
          {t(item.code === null ? 'stream.file.failed' : transferReasonText(item.code))}
        </span>
      );
  }
}

/** Lists a folder again whenever the path changes. */
function useFolder(list: FilesPanelProps['list'], path: string, isConnected: boolean) {
  const [files, setFiles] = useState<FileList | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useEffect(() => {
    if (!isConnected) return;
    const canceling = new AbortController();
    setFailure(null);
    list(path, canceling.signal).then(setFiles, (error: unknown) => {
      if (canceling.signal.aborted) return;
      setFiles(null);
      setFailure(error instanceof TransferError ? error.code : 'FAILED');
    });
    return () => canceling.abort();
  }, [list, path, isConnected, round]);
  useEffect(() => {
    if (path) setFiles(null);
  }, [path]);
  return { files, failure, reload };
}
