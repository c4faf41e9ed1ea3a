// Editable fields of a rule.
import * as field from '../resource/field.ts';
import { conditionalEventParam, eventParam, flow, forEach } from './flow-schema.ts';

export const ruleBody = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  receiveSlotId: field.reference('receive-slot'),
  disabled: field.flag().default(false),
  forEach: forEach(),
  flow: flow().default({ steps: [] }),
  eventParams: field.list(eventParam, 100).default([]),
  conditionalEventParams: field.list(conditionalEventParam, 100).default([]),
};
