// Settings of the runbook steps that run an action or make an event.
import type { RunbookStep } from '@yagura/core/alerthub/runbook';
import { useTranslation } from '../../ui/translation.tsx';
import { AttributeConditions, toAttributeInput, toAttributeRows } from '../flow/attribute-conditions.tsx';
import {
  StepCheckbox,
  StepNumberField,
  type StepOptions,
  StepReferenceField,
  StepTextField,
} from './runbook-step-controls.tsx';

export type StepParams = RunbookStep['params'];

/** What the API takes as conditions on the attributes of scopes. */
export interface AttributeField {
  operators: string[];
  max: number | undefined;
}

export function ActionParams({
  params,
  actions,
  set,
}: {
  params: StepParams;
  actions: StepOptions;
  set: (change: Partial<StepParams>) => void;
}) {
  return (
    <>
      <StepReferenceField
        name="params.actionId"
        resource="action"
        options={actions}
        value={params.actionId}
        onChange={(actionId) => set({ actionId })}
      />
      <StepCheckbox name="params.wait" checked={params.wait ?? false} onChange={(wait) => set({ wait })} />
      {params.wait && (
        <StepNumberField
          name="params.timeoutSeconds"
          min={1}
          max={86_400}
          value={params.timeoutSeconds}
          onChange={(value) => set({ timeoutSeconds: value ?? undefined })}
        />
      )}
      <StepNumberField
        name="params.maxAttempts"
        min={1}
        max={20}
        value={params.maxAttempts}
        onChange={(value) => set({ maxAttempts: value ?? undefined })}
      />
      <StepCheckbox
        name="params.continueOnFailure"
        checked={params.continueOnFailure ?? false}
        onChange={(checked) => set({ continueOnFailure: checked || undefined })}
      />
    </>
  );
}

export function EventParams({
  params,
  scopes,
  attributeField,
  pathList,
  set,
}: {
  params: StepParams;
  scopes: StepOptions;
  attributeField: AttributeField;
  pathList: string;
  set: (change: Partial<StepParams>) => void;
}) {
  const { t } = useTranslation();
  const { attributes } = params;
  const name = params.severityName;
  const read = name !== undefined && 'path' in name;
  return (
    <>
      <StepCheckbox
        name="byAttribute"
        label={t('runbook.by-attribute')}
        checked={attributes !== undefined}
        onChange={(byAttribute) =>
          set(
            byAttribute
              ? { scopeId: undefined, attributes: [{ name: '', op: 'eq', value: '' }] }
              : { attributes: undefined },
          )
        }
      />
      {!attributes && (
        <StepReferenceField
          name="params.scopeId"
          resource="scope"
          options={scopes}
          value={params.scopeId}
          onChange={(scopeId) => set({ scopeId })}
        />
      )}
      {attributes && (
        <AttributeConditions
          name="params.attributes"
          value={toAttributeRows(attributes)}
          operators={attributeField.operators}
          max={attributeField.max}
          pathList={pathList}
          onChange={(rows) =>
            set({
              attributes: rows.map((row) => ({ value: '', ...toAttributeInput(row) })) as typeof attributes,
            })
          }
        />
      )}
      <StepTextField
        name="params.severityName"
        required
        maxLength={512}
        value={name === undefined ? 'default' : 'path' in name ? name.path : name.literal}
        onChange={(text) => set({ severityName: read ? { path: text } : { literal: text } })}
      />
      <StepCheckbox
        name="readSeverityName"
        label={t('runbook.name-from-path')}
        checked={read}
        onChange={(checked) => {
          const text = name === undefined ? '' : 'path' in name ? name.path : name.literal;
          set({ severityName: checked ? { path: text } : { literal: text || 'default' } });
        }}
      />
      <StepNumberField
        name="params.delta"
        required
        min={-1000}
        max={1000}
        value={params.delta}
        onChange={(value) => set({ delta: value ?? undefined })}
      />
    </>
  );
}
