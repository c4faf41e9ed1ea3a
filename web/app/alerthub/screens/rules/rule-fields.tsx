// Rule inputs that the generic form does not support.
import type { ConditionalEventParam, EventParam, Step } from '@yagura/core/alerthub/flow-schema';
import type { FieldMeta } from '@yagura/core/resource/field';
import type { ReactNode } from 'react';
import type { ReferenceOptions } from '../../../ui/references.ts';
import { ConditionalEventParamsEditor } from '../../flow/conditional-event-params-editor.tsx';
import { EventParamsEditor } from '../../flow/event-params-editor.tsx';
import { FlowEditor, type OperatorItem } from '../../flow/flow-editor.tsx';

export function ruleFields(
  fields: Record<string, FieldMeta>,
  values: Record<string, unknown>,
  operators: OperatorItem[],
  references: ReferenceOptions,
): Record<string, ReactNode> {
  return {
    flow: (
      <FlowEditor
        meta={fields.flow!}
        value={values.flow as { steps: Step[] } | undefined}
        operators={operators}
        purpose="rule"
      />
    ),
    eventParams: (
      <EventParamsEditor
        meta={fields.eventParams!}
        value={values.eventParams as EventParam[] | undefined}
        scopes={references.scope ?? {}}
      />
    ),
    conditionalEventParams: (
      <ConditionalEventParamsEditor
        meta={fields.conditionalEventParams!}
        value={values.conditionalEventParams as ConditionalEventParam[] | undefined}
      />
    ),
  };
}
