// Panel that shows who rings when for a callflow: a saved one, or the one in the form around the panel.
import { useFetcher } from '@remix-run/react';
import type { RingPreview } from '@yagura/core/pigeon/ring-preview';
import { useId, useRef, useState } from 'react';
import { toActionProblem, useProblemText } from '../../resource/write/use-problem-toast.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { ProblemAlert } from '../../ui/form/problem-alert.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ParameterInputs } from '../parameter-inputs.tsx';
import { toNestedObject } from '../sample-parameters.ts';
import { CallButton, type CallLine } from './call-button.tsx';
import { CalleeSelect } from './callee-select.tsx';
import { previewIntent, type RequestedCall, requestFields } from './preview-fields.ts';
import { phonesOf } from './preview-phones.ts';
import { RingTimeline } from './ring-timeline.tsx';

export interface RingPreviewPanelProps {
  /** Absent: the callflow of the form around the panel. */
  callflowId?: string;
  /** The guidance and its parameters, or the guidances to choose from. */
  guidance:
    | { guidanceId: string; parameters: Record<string, string> }
    | Record<'options', Record<string, GuidanceOption>>;
  /** Absent: the panel starts no calls. */
  line?: CallLine;
}

export interface GuidanceOption {
  name: string;
  /** Names of the parameters that its templates use. */
  variables: readonly string[];
}

export function RingPreviewPanel({ callflowId = '', guidance, line }: RingPreviewPanelProps) {
  const { t, fieldLabel } = useTranslation();
  const fetcher = useFetcher<{ preview: RingPreview } | { problem: unknown }>();
  const formatProblem = useProblemText();
  const box = useRef<HTMLElement>(null);
  const id = useId();
  const options = 'options' in guidance ? Object.entries(guidance.options) : [];
  const [chosen, choose] = useState(options[0]?.[0] ?? '');
  const [assume, setAssume] = useState('noAnswer');
  const [own, setOwn] = useState<Record<number, string>>({});
  const [values, setValues] = useState<Record<string, string>>({});
  const problem = toActionProblem(fetcher.data);
  const preview = fetcher.data && 'preview' in fetcher.data ? fetcher.data.preview : undefined;
  const phones = phonesOf(preview);
  const variables = 'options' in guidance ? (guidance.options[chosen]?.variables ?? []) : [];
  const call: RequestedCall =
    'options' in guidance
      ? { callflowId, guidanceId: chosen, parameters: toNestedObject(pick(values, variables)) }
      : { callflowId, guidanceId: guidance.guidanceId, parameters: guidance.parameters };
  const disabled = call.guidanceId === '';

  function show() {
    const form = box.current?.closest('form');
    const data = form ? new FormData(form) : new FormData();
    const assumptions = {
      assume,
      phones: Object.entries(own).flatMap(([position, reaction]) =>
        reaction ? [{ position: Number(position), assume: reaction }] : [],
      ),
    };
    const fields = requestFields(previewIntent, call, assumptions);
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    fetcher.submit(data, { method: 'post' });
  }

  return (
    <section
      ref={box}
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 grid-cols-1 gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <div>
        <h2 id={`${id}-title`} className="font-semibold">
          {t('pigeon.ring-preview.title')}
        </h2>
        <p className="mt-0.5 text-sm text-muted">{t('pigeon.ring-preview.hint')}</p>
      </div>
      <div className="grid grid-cols-1 items-end gap-2 sm:grid-cols-[repeat(2,minmax(0,1fr))_auto]">
        {'options' in guidance && (
          <label className="grid grid-cols-1 gap-1 text-sm">
            {fieldLabel('guidanceId')}
            <select
              value={chosen}
              onChange={(event) => choose(event.target.value)}
              className={classNames(controlClass, 'h-8 w-full')}
            >
              {options.map(([guidanceId, { name }]) => (
                <option key={guidanceId} value={guidanceId}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <CalleeSelect label={t('pigeon.ring-preview.assume')} value={assume} onChange={setAssume} />
        <div className="flex flex-wrap gap-2">
          <Button busy={fetcher.state !== 'idle'} disabled={disabled} onClick={show}>
            {t('pigeon.ring-preview.show')}
          </Button>
          {line && <CallButton call={call} line={line} disabled={disabled} />}
        </div>
      </div>
      <ParameterInputs names={variables} values={values} onChange={setValues} />
      {disabled && <p className="text-sm text-muted">{t('pigeon.ring-preview.no-guidance')}</p>}
      {phones.length > 0 && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-muted">{t('pigeon.ring-preview.phones')}</summary>
          <div className="mt-2 grid grid-cols-1 gap-2 sm:grid-cols-2">
            {phones.map(({ position, name }) => (
              <CalleeSelect
                key={position}
                label={`${position}. ${name || t('pigeon.unnamed')}`}
                none={t('pigeon.ring-preview.as-others')}
                value={own[position] ?? ''}
                onChange={(reaction) => setOwn({ ...own, [position]: reaction })}
              />
            ))}
          </div>
        </details>
      )}
      <div aria-live="polite" className="grid min-w-0 grid-cols-1 gap-3">
        {problem && <ProblemAlert text={formatProblem(problem)} errors={problem.errors} />}
        {preview && <RingTimeline preview={preview} />}
      </div>
    </section>
  );
}

/** The values that are not empty, of the names only. */
function pick(values: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
}
