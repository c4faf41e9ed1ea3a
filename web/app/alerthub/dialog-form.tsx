// Form in a dialog that is posted with its intent, and a button that opens it.
import { useNavigation } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { type ComponentProps, useEffect, useState } from 'react';
import { toActionProblem, useProblemToast } from '../resource/write/use-problem-toast.ts';
import { useActionResult } from '../shell/feedback/use-action-result.ts';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form/form.tsx';
import { Dialog } from '../ui/overlay/dialog.tsx';

interface FormDialogProps {
  intent: string;
  title: string;
  submitLabel: string;
  meta: Record<string, FieldMeta>;
  hints?: Record<string, string>;
  hidden?: Record<string, string>;
  action: string;
}

export interface DialogFormProps extends FormDialogProps {
  label: string;
  button?: Omit<ComponentProps<typeof Button>, 'onClick' | 'children'>;
}

export function DialogForm({ label, button, ...dialog }: DialogFormProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <FormDialog {...dialog} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

/** A page has one for each intent, since it shows the problem of the last form with that intent. */
export function FormDialog(props: FormDialogProps & { open: boolean; onClose: () => void }) {
  const { intent, title, open, onClose } = props;
  const actionProblem = toActionProblem(useActionResult());
  const marked = actionProblem && Object.keys(actionProblem.errors).length > 0;
  useProblemToast(marked ? undefined : actionProblem);
  const { formData, state } = useNavigation();
  const busy = state !== 'idle' && formData?.get('intent') === intent;
  const [wasBusy, setWasBusy] = useState(false);
  useEffect(() => {
    if (wasBusy && !busy && !actionProblem) onClose();
    setWasBusy(busy);
  }, [busy, wasBusy, actionProblem, onClose]);
  return (
    <Dialog open={open} onClose={onClose} title={title} locked={busy}>
      <Form
        meta={props.meta}
        values={actionProblem?.values}
        errors={actionProblem?.errors}
        hints={props.hints}
        hidden={{ ...props.hidden, intent }}
        action={props.action}
        busy={busy}
        onCancel={onClose}
        submitLabel={props.submitLabel}
      />
    </Dialog>
  );
}
