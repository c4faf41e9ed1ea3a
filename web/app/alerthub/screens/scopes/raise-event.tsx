// Form that raises an event on a scope manually.
import { useNavigation } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useEffect, useState } from 'react';
import { toActionProblem, useProblemToast } from '../../../resource/write/use-problem-toast.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

export function RaiseEvent({ meta }: { meta: Record<string, FieldMeta> }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const actionProblem = toActionProblem(useActionResult());
  const marked = actionProblem && Object.keys(actionProblem.errors).length > 0;
  useProblemToast(marked ? undefined : actionProblem);
  const { formData, state } = useNavigation();
  const busy = state !== 'idle' && formData?.get('intent') === 'raise';
  const [wasBusy, setWasBusy] = useState(false);
  useEffect(() => {
    if (wasBusy && !busy && !actionProblem) setOpen(false);
    setWasBusy(busy);
  }, [busy, wasBusy, actionProblem]);
  return (
    <>
      <Button size="small" icon="plus" onClick={() => setOpen(true)}>
        {t('page.raise-event')}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t('page.raise-event')} locked={busy}>
        <Form
          meta={meta}
          values={actionProblem?.values}
          errors={actionProblem?.errors}
          hidden={{ intent: 'raise' }}
          action="?index"
          busy={busy}
          onCancel={() => setOpen(false)}
          submitLabel={t('page.raise')}
        />
      </Dialog>
    </>
  );
}
