// Form of one runbook step: its settings and its next steps.
import type { RunbookStep } from '@yagura/core/alerthub/runbook';
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { OperatorItem } from '../flow/flow-editor.tsx';
import { type ParamField, paramFields, relevanceOf, toSentParams } from '../flow/param-fields.ts';
import { ParamInput } from '../flow/param-input.tsx';
import { branchesOf } from './runbook-graph.ts';
import { FormLine, NumberInput, ReferenceSelect } from './runbook-step-controls.tsx';
import { ActionParams, EventParams, type StepParams } from './runbook-step-params.tsx';

export interface BranchItem {
  conditionId: string;
  displayName: { en: string; ja: string };
  params: unknown;
}

export interface StepChoices {
  actions: Record<string, { name: string }>;
  scopes: Record<string, { name: string }>;
  operators: OperatorItem[];
  conditions: BranchItem[];
}

export function RunbookStepForm(props: {
  step: RunbookStep;
  steps: readonly RunbookStep[];
  choices: StepChoices;
  /** Error messages by path below the step. */
  errors: Record<string, string>;
  isFirst: boolean;
  onChange: (change: Partial<RunbookStep>) => void;
  onRemove: () => void;
  onFirst: () => void;
}) {
  const { t, fieldLabel } = useTranslation();
  const { step, errors } = props;
  const set = (change: Partial<StepParams>) => props.onChange({ params: { ...step.params, ...change } });
  const others = [...Object.entries(errors)];
  return (
    <div className="grid gap-3">
      {others.length > 0 && (
        <ul role="alert" className="grid gap-1 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
          {others.map(([path, reason]) => (
            <li key={path}>{path ? `${fieldLabel(path.split('.').at(-1)!)}: ${reason}` : reason}</li>
          ))}
        </ul>
      )}
      <FormLine name="stepId">
        {(id) => (
          <input
            id={id}
            className={classNames(controlClass, 'h-8')}
            defaultValue={step.stepId}
            key={step.stepId}
            pattern="[A-Za-z0-9_\-]{1,64}"
            onBlur={(event) => {
              const stepId = event.target.value.trim();
              const free = props.steps.every(
                (other) => other.stepId === step.stepId || other.stepId !== stepId,
              );
              if (stepId !== step.stepId && free && /^[\w-]{1,64}$/.test(stepId)) props.onChange({ stepId });
              else event.target.value = step.stepId;
            }}
          />
        )}
      </FormLine>
      <FormLine name="displayName">
        {(id) => (
          <input
            id={id}
            className={classNames(controlClass, 'h-8')}
            maxLength={100}
            value={step.displayName}
            onChange={(event) => props.onChange({ displayName: event.target.value })}
          />
        )}
      </FormLine>
      {step.kind === 'action' && (
        <ActionParams params={step.params} actions={props.choices.actions} set={set} />
      )}
      {step.kind === 'event' && <EventParams params={step.params} scopes={props.choices.scopes} set={set} />}
      {step.kind === 'operator' && (
        <CatalogueSelect
          label={fieldLabel('operatorId')}
          keyPrefix="operator"
          id={step.params.operatorId}
          params={step.params.params}
          entries={props.choices.operators.map(({ operatorId, ...rest }) => ({ id: operatorId, ...rest }))}
          onChange={(operatorId, params) => set({ operatorId, params })}
        />
      )}
      {step.kind === 'branch' && (
        <CatalogueSelect
          label={fieldLabel('conditionId')}
          keyPrefix="operator"
          id={step.params.conditionId}
          params={step.params.params}
          entries={props.choices.conditions.map(({ conditionId, ...rest }) => ({ id: conditionId, ...rest }))}
          onChange={(conditionId, params) => set({ conditionId, params })}
        />
      )}
      {branchesOf(step).map((branch) => (
        <FormLine key={branch} name={branch}>
          {(id) => (
            <select
              id={id}
              className={classNames(controlClass, 'h-8')}
              value={step[branch] ?? ''}
              onChange={(event) => props.onChange({ [branch]: event.target.value || null })}
            >
              <option value="">{t('runbook.end')}</option>
              {props.steps.map((other) => (
                <option key={other.stepId} value={other.stepId}>
                  {other.displayName || other.stepId}
                </option>
              ))}
            </select>
          )}
        </FormLine>
      ))}
      <FormLine name="maxVisits">
        {(id) => (
          <NumberInput
            id={id}
            min={1}
            max={1000}
            value={step.maxVisits}
            onChange={(maxVisits) => props.onChange({ maxVisits })}
          />
        )}
      </FormLine>
      <div className="flex flex-wrap gap-2">
        <Button size="small" disabled={props.isFirst} onClick={props.onFirst}>
          {t('runbook.make-first')}
        </Button>
        <Button size="small" onClick={props.onRemove}>
          {t('runbook.remove-step')}
        </Button>
      </div>
    </div>
  );
}

interface StepCatalogueEntry {
  id: string;
  displayName: { en: string; ja: string };
  params: unknown;
}

function CatalogueSelect(props: {
  label: string;
  keyPrefix: string;
  id: string | undefined;
  params: unknown;
  entries: StepCatalogueEntry[];
  onChange: (id: string, params: Record<string, unknown>) => void;
}) {
  const { language, optionalText } = useTranslation();
  const pathList = useId();
  const params = (props.params ?? {}) as Record<string, unknown>;
  const entry = props.entries.find((one) => one.id === props.id);
  const fields: ParamField[] = entry ? paramFields(entry.params) : [];
  const textOrFallback = (key: string, fallback: string) => optionalText(key) ?? fallback;
  return (
    <>
      <FormLine label={props.label}>
        {(id) => (
          <ReferenceSelect
            id={id}
            value={props.id}
            options={Object.fromEntries(
              props.entries.map((one) => [one.id, { name: one.displayName[language] }]),
            )}
            onChange={(picked) => props.onChange(picked ?? '', {})}
          />
        )}
      </FormLine>
      {entry &&
        fields.map((field) => {
          const relevance = relevanceOf(entry.id, field.name, params);
          if (relevance === 'hidden') return null;
          return (
            <ParamInput
              key={`${entry.id} ${field.name}`}
              field={field}
              name={field.name}
              label={textOrFallback(
                `${props.keyPrefix}.${entry.id}.${field.name}`,
                field.title ?? field.name,
              )}
              required={relevance === 'required' || (field.required && field.default === undefined)}
              value={params[field.name]}
              onChange={(value) =>
                props.onChange(entry.id, toSentParams(entry.id, fields, { ...params, [field.name]: value }))
              }
              optionLabel={(option) => textOrFallback(`operator.option.${option}`, option)}
              pathList={pathList}
            />
          );
        })}
    </>
  );
}
