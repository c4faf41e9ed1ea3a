// A button that does something to the thing on screen after asking; the screen's action gets its intent.
import { useFetcher } from '@remix-run/react';
import { useState } from 'react';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';

export function ConfirmButton(props: { intent: string; label: string; title: string; text: string }) {
  const [asking, setAsking] = useState(false);
  const [busyBefore, setBusyBefore] = useState(false);
  const fetcher = useFetcher();
  useRefusalToast(fetcher.data, () => setAsking(false));
  const busy = fetcher.state !== 'idle';
  if (busy !== busyBefore) {
    setBusyBefore(busy);
    if (!busy) setAsking(false);
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>{props.label}</Button>
      <ConfirmDialog
        open={asking}
        title={props.title}
        text={props.text}
        confirmLabel={props.label}
        busyLabel={props.label}
        danger={false}
        busy={busy}
        onConfirm={() => fetcher.submit({ intent: props.intent }, { method: 'post' })}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}
