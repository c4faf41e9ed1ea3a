// Form of one runbook step: its settings and its next steps.
import type { RunbookStep } from '@yagura/core/alerthub/runbook';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { useDataPaths } from '../flow/data-paths.ts';
import type { OperatorItem } from '../flow/flow-editor.tsx';
import { type ParamField, paramFields, relevanceOf, toSentParams } from '../flow/param-fields.ts';
import { ParamInput } from '../flow/param-input.tsx';
import { branchesOf } from './runbook-graph.ts';
import {
  StepField,
  StepNumberField,
  type StepOptions,
  StepSelectField,
  StepTextField,
} from './runbook-step-controls.tsx';
import { ActionParams, type AttributeField, EventParams, type StepParams } from './runbook-step-params.tsx';

export interface BranchItem {
  conditionId: string;
  displayName: { en: string; ja: string };
  params: unknown;
}

export interface StepChoices {
  actions: StepOptions;
  scopes: StepOptions;
  operators: OperatorItem[];
  conditions: BranchItem[];
  attributeField: AttributeField;
}

/** Keeps what is typed, so each step needs a key of its own. */
export function RunbookStepForm(props: {
  step: RunbookStep;
  steps: readonly RunbookStep[];
  choices: StepChoices;
  isFirst: boolean;
  onChange: (change: Partial<Omit<RunbookStep, 'stepId'>>) => void;
  onRename: (stepId: string) => void;
  onRemove: () => void;
  onFirst: () => void;
}) {
  const { t } = useTranslation();
  const { step } = props;
  const pathList = useId();
  const dataPaths = [
    ...useDataPaths('runbook'),
    ...props.steps.map(({ stepId }) => `steps.${stepId}.output`),
  ];
  const set = (change: Partial<StepParams>) => props.onChange({ params: { ...step.params, ...change } });
  return (
    <div className="grid gap-3">
      <datalist id={pathList}>
        {dataPaths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <StepIdField
        stepId={step.stepId}
        taken={props.steps.filter((other) => other !== step).map((other) => other.stepId)}
        onChange={props.onRename}
      />
      <StepTextField
        name="displayName"
        maxLength={100}
        value={step.displayName}
        onChange={(displayName) => props.onChange({ displayName })}
      />
      {step.kind === 'action' && (
        <ActionParams params={step.params} actions={props.choices.actions} set={set} />
      )}
      {step.kind === 'event' && (
        <EventParams
          params={step.params}
          scopes={props.choices.scopes}
          attributeField={props.choices.attributeField}
          pathList={pathList}
          set={set}
        />
      )}
      {step.kind === 'operator' && (
        <CatalogueSelect
          name="params.operatorId"
          keyPrefix="operator"
          id={step.params.operatorId}
          params={step.params.params}
          pathList={pathList}
          entries={props.choices.operators.map(({ operatorId, ...rest }) => ({ id: operatorId, ...rest }))}
          onChange={(operatorId, params) => set({ operatorId, params })}
        />
      )}
      {step.kind === 'branch' && (
        <CatalogueSelect
          name="params.conditionId"
          keyPrefix="operator"
          id={step.params.conditionId}
          params={step.params.params}
          pathList={pathList}
          entries={props.choices.conditions.map(({ conditionId, ...rest }) => ({ id: conditionId, ...rest }))}
          onChange={(conditionId, params) => set({ conditionId, params })}
        />
      )}
      {branchesOf(step).map((branch) => (
        <StepSelectField
          key={branch}
          name={branch}
          value={step[branch]}
          emptyText={t('runbook.end')}
          options={props.steps.map((other) => [other.stepId, other.displayName || other.stepId])}
          onChange={(next) => props.onChange({ [branch]: next || null })}
        />
      ))}
      <StepNumberField
        name="maxVisits"
        min={1}
        max={1000}
        value={step.maxVisits}
        onChange={(maxVisits) => props.onChange({ maxVisits })}
      />
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

/** Renames the step with every key that makes a valid id, so that submitting with Enter loses nothing. */
function StepIdField(props: {
  stepId: string;
  taken: readonly string[];
  onChange: (stepId: string) => void;
}) {
  const { t } = useTranslation();
  const [inputValue, setInputValue] = useState(props.stepId);
  const reasonOf = (stepId: string) => {
    if (!/^[\w-]{1,64}$/.test(stepId)) return t('runbook.step-id-format');
    return props.taken.includes(stepId) ? t('why.runbook.twice', { stepId }) : undefined;
  };
  const reason = reasonOf(inputValue);
  return (
    <StepField name="stepId" required reason={reason}>
      {(control) => (
        <input
          {...control}
          ref={(input) => input?.setCustomValidity(reason ?? '')}
          className={classNames(controlClass, 'h-8 font-mono text-xs')}
          value={inputValue}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            const stepId = event.target.value.trim();
            setInputValue(stepId);
            if (reasonOf(stepId) === undefined) props.onChange(stepId);
          }}
        />
      )}
    </StepField>
  );
}

interface StepCatalogueEntry {
  id: string;
  displayName: { en: string; ja: string };
  params: unknown;
}

function CatalogueSelect(props: {
  name: string;
  keyPrefix: string;
  id: string | undefined;
  params: unknown;
  pathList: string;
  entries: StepCatalogueEntry[];
  onChange: (id: string, params: Record<string, unknown>) => void;
}) {
  const { t, language, optionalText } = useTranslation();
  const params = (props.params ?? {}) as Record<string, unknown>;
  const entry = props.entries.find((one) => one.id === props.id);
  const fields: ParamField[] = entry ? paramFields(entry.params) : [];
  const textOrFallback = (key: string, fallback: string) => optionalText(key) ?? fallback;
  return (
    <>
      <StepSelectField
        name={props.name}
        required
        value={props.id}
        emptyText={t('rule.select')}
        options={props.entries.map((one) => [one.id, one.displayName[language]])}
        onChange={(picked) => props.onChange(picked, {})}
      />
      {entry &&
        fields.map((field) => {
          const relevance = relevanceOf(entry.id, field.name, params);
          if (relevance === 'hidden') return null;
          return (
            <ParamInput
              key={`${entry.id} ${field.name}`}
              field={field}
              name={`params.params.${field.name}`}
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
              pathList={props.pathList}
            />
          );
        })}
    </>
  );
}
