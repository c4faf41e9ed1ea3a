// Trigger inputs that the generic form does not support.
import type { Step } from '@yagura/core/alerthub/flow-schema';
import type { Condition, RelatedMessageFilter } from '@yagura/core/alerthub/trigger';
import type { FieldMeta } from '@yagura/core/resource/field';
import type { ReactNode } from 'react';
import type { ReferenceOptions } from '../../../ui/references.ts';
import { ConditionEditor, type ConditionItem } from '../../flow/condition-editor.tsx';
import { FlowEditor, type OperatorItem } from '../../flow/flow-editor.tsx';
import { RelatedFilterEditor, type RelatedFilterItem } from '../../flow/related-filter-editor.tsx';
import { TargetField } from '../../flow/target-field.tsx';

export function triggerFields(
  fields: Record<string, FieldMeta>,
  values: Record<string, unknown>,
  catalogue: { operators: OperatorItem[]; conditions: ConditionItem[]; filters: RelatedFilterItem[] },
  references: ReferenceOptions,
): Record<string, ReactNode> {
  return {
    conditions: (
      <ConditionEditor
        meta={fields.conditions!}
        value={values.conditions as Condition[] | undefined}
        conditions={catalogue.conditions}
      />
    ),
    relatedMessageFilters: (
      <RelatedFilterEditor
        meta={fields.relatedMessageFilters!}
        value={values.relatedMessageFilters as RelatedMessageFilter[] | undefined}
        filters={catalogue.filters}
      />
    ),
    flow: (
      <FlowEditor
        meta={fields.flow!}
        value={values.flow as { steps: Step[] } | undefined}
        operators={catalogue.operators}
        purpose="trigger"
      />
    ),
    target: (
      <TargetField
        value={values.target as { kind: string; id: string } | undefined}
        choices={{ action: references.action ?? {}, runbook: references.runbook ?? {} }}
      />
    ),
  };
}
