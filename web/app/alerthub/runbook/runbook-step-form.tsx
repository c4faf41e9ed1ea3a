// Form of one runbook step: its settings and its next steps.
import type { RunbookStep } from '@yagura/core/alerthub/runbook';
import { type ReactNode, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { OperatorItem } from '../flow/flow-editor.tsx';
import { type ParamField, paramFields, relevanceOf, toSentParams } from '../flow/param-fields.ts';
import { ParamInput } from '../flow/param-input.tsx';
import { branchesOf } from './runbook-graph.ts';

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

type StepParams = RunbookStep['params'];

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
      {step.kind === 'action' && <ActionParams params={step.params} choices={props.choices} set={set} />}
      {step.kind === 'event' && <EventParams params={step.params} choices={props.choices} set={set} />}
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

function ActionParams({
  params,
  choices,
  set,
}: {
  params: StepParams;
  choices: StepChoices;
  set: (change: Partial<StepParams>) => void;
}) {
  const { fieldLabel } = useTranslation();
  return (
    <>
      <FormLine name="actionId">
        {(id) => (
          <ReferenceSelect
            id={id}
            value={params.actionId}
            options={choices.actions}
            onChange={(actionId) => set({ actionId })}
          />
        )}
      </FormLine>
      <label className="inline-flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4"
          checked={params.wait ?? false}
          onChange={(event) => set({ wait: event.target.checked })}
        />
        {fieldLabel('wait')}
      </label>
      {params.wait && (
        <FormLine name="timeoutSeconds">
          {(id) => (
            <NumberInput
              id={id}
              min={1}
              max={86_400}
              value={params.timeoutSeconds ?? null}
              onChange={(value) => set({ timeoutSeconds: value ?? undefined })}
            />
          )}
        </FormLine>
      )}
    </>
  );
}

function EventParams({
  params,
  choices,
  set,
}: {
  params: StepParams;
  choices: StepChoices;
  set: (change: Partial<StepParams>) => void;
}) {
  const { t } = useTranslation();
  const byAttribute = params.attributes !== undefined;
  const condition = params.attributes?.[0] ?? { name: '', op: 'eq' as const, value: '' };
  const name = params.severityName;
  const read = name !== undefined && 'path' in name;
  return (
    <>
      <FormLine name="scopeId">
        {(id) => (
          <ReferenceSelect
            id={id}
            value={byAttribute ? 'attribute' : params.scopeId}
            options={{ ...choices.scopes, attribute: { name: t('runbook.by-attribute') } }}
            onChange={(scopeId) =>
              scopeId === 'attribute'
                ? set({ scopeId: undefined, attributes: [condition] })
                : set({ scopeId, attributes: undefined })
            }
          />
        )}
      </FormLine>
      {byAttribute &&
        (params.attributes ?? []).map((one, index) => (
          <div key={index} className="grid grid-cols-2 gap-2">
            <FormLine name="name">
              {(id) => (
                <input
                  id={id}
                  className={classNames(controlClass, 'h-8')}
                  value={one.name}
                  onChange={(event) =>
                    set({
                      attributes: withItemAt(params.attributes!, index, { ...one, name: event.target.value }),
                    })
                  }
                />
              )}
            </FormLine>
            <FormLine name="value">
              {(id) => (
                <input
                  id={id}
                  className={classNames(controlClass, 'h-8')}
                  value={typeof one.value === 'string' ? one.value : one.value.path}
                  onChange={(event) => {
                    const value =
                      typeof one.value === 'string' ? event.target.value : { path: event.target.value };
                    set({ attributes: withItemAt(params.attributes!, index, { ...one, value }) });
                  }}
                />
              )}
            </FormLine>
          </div>
        ))}
      <FormLine name="severityName">
        {(id) => (
          <input
            id={id}
            className={classNames(controlClass, 'h-8')}
            value={name === undefined ? 'default' : 'path' in name ? name.path : name.literal}
            onChange={(event) =>
              set({ severityName: read ? { path: event.target.value } : { literal: event.target.value } })
            }
          />
        )}
      </FormLine>
      <label className="inline-flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4"
          checked={read}
          onChange={(event) => {
            const text = name === undefined ? '' : 'path' in name ? name.path : name.literal;
            set({ severityName: event.target.checked ? { path: text } : { literal: text || 'default' } });
          }}
        />
        {t('runbook.name-from-path')}
      </label>
      <FormLine name="delta">
        {(id) => (
          <NumberInput
            id={id}
            min={-1000}
            max={1000}
            value={params.delta ?? null}
            onChange={(value) => set({ delta: value ?? 0 })}
          />
        )}
      </FormLine>
    </>
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
  const { t, language } = useTranslation();
  const pathList = useId();
  const params = (props.params ?? {}) as Record<string, unknown>;
  const entry = props.entries.find((one) => one.id === props.id);
  const fields: ParamField[] = entry ? paramFields(entry.params) : [];
  const textOrFallback = (key: string, fallback: string) => {
    const word = t(key);
    return word === key ? fallback : word;
  };
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

function FormLine(props: { name?: string; label?: string; children: (id: string) => ReactNode }) {
  const { fieldLabel } = useTranslation();
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-muted">
        {props.label ?? fieldLabel(props.name!)}
      </label>
      {props.children(id)}
    </div>
  );
}

function ReferenceSelect(props: {
  id: string;
  value: string | undefined;
  options: Record<string, { name: string }>;
  onChange: (value: string | undefined) => void;
}) {
  const { t } = useTranslation();
  return (
    <select
      id={props.id}
      className={classNames(controlClass, 'h-8')}
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.target.value || undefined)}
    >
      <option value="">{t('rule.select')}</option>
      {Object.entries(props.options).map(([value, { name }]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

function NumberInput(props: {
  id: string;
  min: number;
  max: number;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  return (
    <input
      id={props.id}
      type="number"
      min={props.min}
      max={props.max}
      step={1}
      className={classNames(controlClass, 'h-8')}
      value={props.value ?? ''}
      onChange={(event) =>
        props.onChange(event.target.value === '' ? null : Math.trunc(Number(event.target.value)))
      }
    />
  );
}

function withItemAt<T>(list: readonly T[], index: number, value: T): T[] {
  return list.map((one, position) => (position === index ? value : one));
}
