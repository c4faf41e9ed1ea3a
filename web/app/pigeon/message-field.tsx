// Template of the text read to callees, with a live preview on sample values.
import { maxMessageLength } from '@yagura/core/pigeon/call-constants';
import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame } from '../ui/field/field-frame.tsx';
import { useFormError } from '../ui/field/form-errors.ts';
import { useTranslation } from '../ui/translation.tsx';
import { SpeechPreview } from './speech-preview.tsx';

const name = 'messageTemplate';

export function MessageField(props: { value: string }) {
  const { t, fieldLabel } = useTranslation();
  const [template, setTemplate] = useState(props.value);
  const frame = {
    name,
    label: fieldLabel(name),
    required: true,
    hint: t('pigeon.message-hint', { example: '{{host}}' }),
    error: useFormError(name),
  };
  return (
    <div className="grid gap-2">
      <FieldFrame {...frame}>
        <textarea
          {...controlProps(frame)}
          required
          rows={4}
          maxLength={maxMessageLength}
          value={template}
          onChange={(event) => setTemplate(event.target.value)}
          className={classNames(controlClass, 'py-1.5 font-mono text-xs')}
        />
      </FieldFrame>
      <SpeechPreview template={template} />
    </div>
  );
}
