// Logs of a session: decrypts their parts with the auditor's key and shows them.
import { useFetcher } from '@remix-run/react';
import { findIdentity } from '@yagura/core/greac/find-identity';
import type { LogJudgement } from '@yagura/core/greac/log-judgement';
import { logJudgementText, logVerdictTexts } from '@yagura/core/greac/log-verdict-texts';
import type { SessionLogPart } from '@yagura/core/greac/session';
import type { LogKind } from '@yagura/core/greac/session-parameters';
import { Fragment, useEffect, useState } from 'react';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { Button } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { DownloadKey } from '../download-key.tsx';
import type { PrivateKeyData } from '../private-key.server.ts';
import { type DecryptedPart, decryptLog } from './decrypt-log.ts';
import { parseRecording, type Recording } from './recording.ts';
import { TextLog } from './text-log.tsx';
import { VideoLog } from './video-log.tsx';

export interface LogViewerProps {
  sessionId: string;
  /** The server gives the logs of closed sessions only. */
  isOpen: boolean;
  logs: readonly { kind: LogKind; parts: readonly SessionLogPart[]; judgement: LogJudgement }[];
  /** Key whose private half the user may fetch, unless the server is known not to have it. */
  storedKeyId: string | null;
}

const kindLabels = { text: 'greac.text-log', video: 'greac.video-log' } as const;

export function LogViewer({ sessionId, isOpen, logs, storedKeyId }: LogViewerProps) {
  const { t } = useTranslation();
  const [identity, setIdentity] = useState<string | null>(null);
  const [chosen, setChosen] = useState(logs[0]?.kind);
  // The chosen one, if it has arrived by now.
  const log = logs.find(({ kind }) => kind === chosen) ?? logs[0];
  if (!log) return <p className="text-muted">{t(isOpen ? 'recording.session-open' : 'greac.no-logs')}</p>;
  const { kind, parts, judgement } = log;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        {logs.map((one) => (
          <Button
            key={one.kind}
            aria-pressed={one.kind === kind}
            variant={one.kind === kind ? 'primary' : 'default'}
            onClick={() => setChosen(one.kind)}
          >
            {t(kindLabels[one.kind])}
          </Button>
        ))}
      </div>
      <Verdict judgement={judgement} />
      {isOpen && <p role="status">{t('recording.session-open')}</p>}
      {parts.length > 0 && !isOpen && <PartList sessionId={sessionId} parts={parts} />}
      {parts.length === 0 || isOpen ? null : identity === null ? (
        <KeyForm
          keyIds={[...new Set(parts.flatMap(({ keyId }) => keyId ?? []))]}
          storedKeyId={storedKeyId}
          onIdentity={setIdentity}
        />
      ) : (
        <DecryptedLog
          key={kind}
          sessionId={sessionId}
          kind={kind}
          parts={parts}
          identity={identity}
          onWrongKey={() => setIdentity(null)}
        />
      )}
    </div>
  );
}

function Verdict({ judgement }: { judgement: LogJudgement }) {
  const { t } = useTranslation();
  return (
    <section className="text-sm">
      <h2 className="font-semibold">{t('recording.verdict')}</h2>
      <p className={judgement.fault === null ? undefined : 'text-danger-fg'}>
        {logJudgementText(judgement, t)}
      </p>
    </section>
  );
}

function PartList({ sessionId, parts }: { sessionId: string; parts: readonly SessionLogPart[] }) {
  const { t } = useTranslation();
  const verdicts = [...new Set(parts.map(({ verdict }) => verdict))];
  return (
    <section className="text-sm">
      <h2 className="font-semibold">{t('recording.parts')}</h2>
      <ul className="flex flex-wrap gap-x-4">
        {verdicts.map((verdict) => {
          const own = parts.filter((part) => part.verdict === verdict);
          return (
            <li key={verdict}>
              {own.map(({ kind, part, chunks }, at) => (
                <Fragment key={part}>
                  {at > 0 && ', '}
                  {chunks > 0 ? (
                    <a href={partPath(sessionId, kind, part)} download>
                      {t('recording.part', { part })}
                    </a>
                  ) : (
                    t('recording.part', { part })
                  )}
                </Fragment>
              ))}
              : <strong className="font-semibold">{t(logVerdictTexts[verdict])}</strong>
            </li>
          );
        })}
      </ul>
      <p className="text-xs text-muted">{t('recording.parts-hint')}</p>
    </section>
  );
}

function KeyForm(props: {
  keyIds: readonly string[];
  storedKeyId: string | null;
  onIdentity(identity: string): void;
}) {
  const { t } = useTranslation();
  const [isMissing, setMissing] = useState(false);
  const fetcher = useFetcher<PrivateKeyData>();
  useProblemToast(fetcher.data);
  const stored = fetcher.data?.privateKey;
  const { onIdentity } = props;
  useEffect(() => {
    if (stored) onIdentity(stored);
  }, [stored, onIdentity]);
  const read = (text: string) => {
    const identity = findIdentity(text);
    setMissing(identity === null);
    if (identity) onIdentity(identity);
  };
  return (
    <div className="grid max-w-xl gap-2 rounded-lg border border-line bg-surface p-4 text-sm">
      <p>{t('recording.key-text')}</p>
      <p className="text-xs break-all text-muted">
        {t('recording.key-hint', { ids: props.keyIds.join(', ') })}
      </p>
      <label className="grid gap-1">
        <span>{t('recording.key-file')}</span>
        <input
          type="file"
          onChange={(event) => void event.target.files?.[0]?.text().then(read)}
          className="text-sm"
        />
      </label>
      {isMissing && (
        <p role="alert" className="text-danger-fg">
          {t('recording.no-key-in-file')}
        </p>
      )}
      {props.storedKeyId && (
        <div className="flex flex-wrap gap-2">
          <Button
            busy={fetcher.state !== 'idle'}
            onClick={() => fetcher.submit({ keyId: props.storedKeyId }, { method: 'post' })}
          >
            {t('recording.use-stored')}
          </Button>
          <DownloadKey keyId={props.storedKeyId} />
        </div>
      )}
      {stored === null && (
        <p role="alert" className="text-danger-fg">
          {t('greac.no-private-key')}
        </p>
      )}
    </div>
  );
}

type LoadedLog =
  | { state: 'loading'; part: number }
  | { state: 'failed' }
  | { state: 'wrong-key'; part: number }
  | { state: 'text'; text: string; damaged: number[] }
  | { state: 'video'; recording: Recording; damaged: number[] };

function DecryptedLog(props: {
  sessionId: string;
  kind: LogKind;
  parts: readonly SessionLogPart[];
  identity: string;
  onWrongKey(): void;
}) {
  const { t } = useTranslation();
  const log = useDecryptedLog(props);
  if (log.state === 'loading') return <p role="status">{t('recording.loading', { part: log.part })}</p>;
  if (log.state === 'failed') return <p role="alert">{t('recording.failed')}</p>;
  if (log.state === 'wrong-key') {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-2">
        {t('recording.wrong-key', { part: log.part })}
        <Button onClick={props.onWrongKey}>{t('verb.back')}</Button>
      </div>
    );
  }
  return (
    <>
      {log.damaged.map((part) => (
        <p key={part} role="alert" className="text-danger-fg">
          {t('recording.damaged', { part })}
        </p>
      ))}
      {log.state === 'video' && log.recording.unreadable > 0 && (
        <p role="alert" className="text-danger-fg">
          {t('recording.unreadable', { count: log.recording.unreadable })}
        </p>
      )}
      {log.state === 'text' ? (
        <TextLog sessionId={props.sessionId} text={log.text} />
      ) : (
        <VideoLog recording={log.recording} />
      )}
    </>
  );
}

/** Downloads and decrypts the parts one after the other. */
function useDecryptedLog(props: {
  sessionId: string;
  kind: LogKind;
  parts: readonly SessionLogPart[];
  identity: string;
}): LoadedLog {
  const { sessionId, kind, identity } = props;
  const numbers = props.parts.map(({ part }) => part).join();
  const [log, setLog] = useState<LoadedLog>({ state: 'loading', part: 1 });
  useEffect(() => {
    const leaving = new AbortController();
    const load = async (): Promise<LoadedLog> => {
      const texts: string[] = [];
      const damaged: number[] = [];
      for (const part of numbers.split(',').map(Number)) {
        setLog({ state: 'loading', part });
        const decrypted = await fetchPart(sessionId, kind, part, identity, leaving.signal);
        if (decrypted.state === 'wrong-key') return { state: 'wrong-key', part };
        if (decrypted.state === 'damaged') damaged.push(part);
        texts.push(decrypted.text);
      }
      return kind === 'text'
        ? { state: 'text', text: texts.join(''), damaged }
        : { state: 'video', recording: parseRecording(texts), damaged };
    };
    load().then(
      (loaded) => leaving.signal.aborted || setLog(loaded),
      () => leaving.signal.aborted || setLog({ state: 'failed' }),
    );
    return () => leaving.abort();
  }, [sessionId, kind, numbers, identity]);
  return log;
}

async function fetchPart(
  sessionId: string,
  kind: LogKind,
  part: number,
  identity: string,
  signal: AbortSignal,
): Promise<DecryptedPart> {
  const response = await fetch(partPath(sessionId, kind, part), { signal });
  if (!response.ok || !response.body) throw new TypeError('the log cannot be downloaded');
  return decryptLog(response.body, identity, signal);
}

function partPath(sessionId: string, kind: LogKind, part: number): string {
  return `/apps/greac/sessions/${sessionId}/logs/${kind}/${part}`;
}
