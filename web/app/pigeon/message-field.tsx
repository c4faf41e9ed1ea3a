// Template of the text read to callees, with a live preview on sample values.

import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { FlowError } from '@yagura/core/alerthub/engine/errors/flow-error';
import { maxMessageLength } from '@yagura/core/pigeon/call-constants';
import { renderSpokenText } from '@yagura/core/speech/spoken-text';
import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame } from '../ui/field/field-frame.tsx';
import { useFormError } from '../ui/field/form-errors.ts';
import { useTranslation } from '../ui/translation.tsx';

const name = 'messageTemplate';

export function MessageField(props: { value: string }) {
  const { t, fieldLabel } = useTranslation();
  const [template, setTemplate] = useState(props.value);
  const [samples, setSamples] = useState<Record<string, string>>({});
  const frame = {
    name,
    label: fieldLabel(name),
    required: true,
    hint: t('pigeon.message-hint', { example: '{{host}}' }),
    error: useFormError(name),
  };
  const names = variableNames(template);
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
      <section
        aria-label={t('pigeon.preview')}
        className="grid gap-2 rounded-md border border-line bg-surface-sunken p-3 text-sm"
      >
        <h3 className="font-medium">{t('pigeon.preview')}</h3>
        {names.length > 0 && (
          <div className="grid gap-2 sm:grid-cols-2">
            {names.map((one) => (
              <label key={one} className="grid gap-1 text-xs text-muted">
                <code className="font-mono">{one}</code>
                <input
                  value={samples[one] ?? ''}
                  onChange={(event) => setSamples({ ...samples, [one]: event.target.value })}
                  className={classNames(controlClass, 'h-8 text-fg')}
                />
              </label>
            ))}
          </div>
        )}
        <p aria-live="polite" className="whitespace-pre-wrap">
          {renderPreview(template, samples, (error) => formatReason(error.reason, t)) ||
            t('pigeon.preview-empty')}
        </p>
      </section>
    </div>
  );
}

/** Returns the distinct variable names in the template, without sections and comments. */
function variableNames(template: string): string[] {
  const found = [...template.matchAll(/\{\{\{?\s*&?\s*([^\s#^/!&{}>=]{1,100})\s*\}?\}\}/g)].map(
    (match) => match[1]!,
  );
  return [...new Set(found)].slice(0, 20);
}

function renderPreview(
  template: string,
  samples: Record<string, string>,
  formatError: (error: FlowError) => string,
): string {
  try {
    return renderSpokenText(template, toNestedObject(samples)).text;
  } catch (error) {
    if (error instanceof FlowError) return formatError(error);
    throw error;
  }
}

/** Expands dotted names (`a.b` is member b of a) to the nesting of call parameters. */
function toNestedObject(samples: Record<string, string>): Record<string, unknown> {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [path, value] of Object.entries(samples)) {
    const parts = path.split('.');
    let at = root;
    for (const part of parts.slice(0, -1)) {
      const inner = at[part];
      const next = typeof inner === 'object' && inner !== null ? inner : (Object.create(null) as object);
      at[part] = next;
      at = next as Record<string, unknown>;
    }
    at[parts.at(-1)!] = value;
  }
  return JSON.parse(JSON.stringify(root)) as Record<string, unknown>;
}
