// Raises an event on the scope by hand.
import { useNavigation } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useEffect, useState } from 'react';
import { asRefusal, useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { useTranslation } from '../../ui/words.tsx';

export function RaiseEvent({ meta }: { meta: Record<string, FieldMeta> }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const refusal = asRefusal(useActionResult());
  const marked = refusal && Object.keys(refusal.errors).length > 0;
  useRefusalToast(marked ? undefined : refusal);
  const { formData, state } = useNavigation();
  const busy = state !== 'idle' && formData?.get('intent') === 'raise';
  const [wasBusy, setWasBusy] = useState(false);
  useEffect(() => {
    if (wasBusy && !busy && !refusal) setOpen(false);
    setWasBusy(busy);
  }, [busy, wasBusy, refusal]);
  return (
    <>
      <Button size="small" icon="plus" onClick={() => setOpen(true)}>
        {t('page.raise-event')}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t('page.raise-event')} locked={busy}>
        <Form
          meta={meta}
          values={refusal?.values}
          errors={refusal?.errors}
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
