// Recorded file of a guidance: player, upload and deletion.
import { useFetcher } from '@remix-run/react';
import type { Recording } from '@yagura/core/pigeon/guidance';
import { useState } from 'react';
import { toActionProblem, useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { controlClass, controlProps, FieldFrame } from '../ui/field/field-frame.tsx';
import { ConfirmDialog } from '../ui/overlay/dialog.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { useTranslation } from '../ui/translation.tsx';

export function RecordingPanel(props: { guidanceId: string; recording: Recording | null; mayEdit: boolean }) {
  const { guidanceId, recording, mayEdit } = props;
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  const path = `/apps/pigeon/guidances/${encodeURIComponent(guidanceId)}/recording`;
  const isBusy = fetcher.state !== 'idle';
  const frame = {
    name: 'file',
    label: t('pigeon.recording-file'),
    required: true,
    hint: t('pigeon.recording-hint'),
    error: toActionProblem(fetcher.data)?.errors.file,
  };
  if (!recording && !mayEdit) return null;
  return (
    <Panel title={t('pigeon.recording')} padded>
      <div className="grid gap-3">
        {recording && (
          <div className="flex flex-wrap items-center gap-3">
            <span className="break-all">{recording.fileName}</span>
            {/* biome-ignore lint/a11y/useMediaCaption: the text is shown above */}
            <audio
              key={recording.recordingId}
              controls
              preload="none"
              src={`${path}?of=${recording.recordingId}`}
              aria-label={t('pigeon.recording')}
              className="h-8"
            />
            {mayEdit && <Button onClick={() => setIsConfirming(true)}>{t('pigeon.recording-delete')}</Button>}
          </div>
        )}
        {mayEdit && (
          <fetcher.Form
            key={recording?.recordingId}
            method="post"
            action={path}
            encType="multipart/form-data"
            className="grid max-w-3xl gap-3"
          >
            <FieldFrame {...frame}>
              <input
                {...controlProps(frame)}
                type="file"
                accept=".wav,audio/wav"
                required
                className={`${controlClass} py-1.5`}
              />
            </FieldFrame>
            <div>
              <Button type="submit" busy={isBusy}>
                {isBusy ? t('bulk.uploading') : t('pigeon.recording-upload')}
              </Button>
            </div>
          </fetcher.Form>
        )}
      </div>
      <ConfirmDialog
        open={isConfirming && recording !== null}
        onCancel={() => setIsConfirming(false)}
        title={t('pigeon.recording-delete-title')}
        text={t('pigeon.recording-delete-text')}
        confirmLabel={t('pigeon.recording-delete')}
        busy={isBusy}
        onConfirm={() => fetcher.submit({}, { method: 'post', action: path })}
      />
    </Panel>
  );
}
