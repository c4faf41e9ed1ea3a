// Button that opens a form in a dialog and posts it with its intent.
import { useNavigation } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { type ComponentProps, useEffect, useState } from 'react';
import { toActionProblem, useProblemToast } from '../resource/write/use-problem-toast.ts';
import { useActionResult } from '../shell/feedback/use-action-result.ts';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form/form.tsx';
import { Dialog } from '../ui/overlay/dialog.tsx';

export interface DialogFormProps {
  intent: string;
  label: string;
  title: string;
  submitLabel: string;
  meta: Record<string, FieldMeta>;
  hints?: Record<string, string>;
  hidden?: Record<string, string>;
  action: string;
  button?: Omit<ComponentProps<typeof Button>, 'onClick' | 'children'>;
}

export function DialogForm(props: DialogFormProps) {
  const { intent, title } = props;
  const [open, setOpen] = useState(false);
  const actionProblem = toActionProblem(useActionResult());
  const marked = actionProblem && Object.keys(actionProblem.errors).length > 0;
  useProblemToast(marked ? undefined : actionProblem);
  const { formData, state } = useNavigation();
  const busy = state !== 'idle' && formData?.get('intent') === intent;
  const [wasBusy, setWasBusy] = useState(false);
  useEffect(() => {
    if (wasBusy && !busy && !actionProblem) setOpen(false);
    setWasBusy(busy);
  }, [busy, wasBusy, actionProblem]);
  return (
    <>
      <Button {...props.button} onClick={() => setOpen(true)}>
        {props.label}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={title} locked={busy}>
        <Form
          meta={props.meta}
          values={actionProblem?.values}
          errors={actionProblem?.errors}
          hints={props.hints}
          hidden={{ ...props.hidden, intent }}
          action={props.action}
          busy={busy}
          onCancel={() => setOpen(false)}
          submitLabel={props.submitLabel}
        />
      </Dialog>
    </>
  );
}
