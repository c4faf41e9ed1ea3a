// Button that asks for confirmation and posts its intent to the page's action.
import { useFetcher } from '@remix-run/react';
import { useState } from 'react';
import { useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/overlay/dialog.tsx';

export interface ConfirmButtonProps {
  intent: string;
  label: string;
  title: string;
  text: string;
  /** Address to post to, if not that of the page. */
  action?: string;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const [wasBusy, setWasBusy] = useState(false);
  const fetcher = useFetcher();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  const busy = fetcher.state !== 'idle';
  if (busy !== wasBusy) {
    setWasBusy(busy);
    if (!busy) setIsConfirming(false);
  }
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>{props.label}</Button>
      <ConfirmDialog
        open={isConfirming}
        title={props.title}
        text={props.text}
        confirmLabel={props.label}
        busyLabel={props.label}
        danger={false}
        busy={busy}
        onConfirm={() => fetcher.submit({ intent: props.intent }, { method: 'post', action: props.action })}
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}
