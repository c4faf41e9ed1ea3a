// Configuration kinds of bulk import and export, with file columns derived from the resource's input.
import { type AnyResource, inputFields, itemFields } from '../../resource/define-resource.ts';
import { exactFields } from '../../resource/exact-position.ts';
import type { FieldMeta } from '../../resource/field.ts';
import { action } from '../action.ts';
import { emailActionSenderSetting } from '../email-action-sender-setting.ts';
import { muteSchedule } from '../mute-schedule.ts';
import { notificationSettingEmail } from '../notification-setting-email.ts';
import { receiveSlot } from '../receive-slot.ts';
import { rule } from '../rule.ts';
import { exactSteps, runbook } from '../runbook.ts';
import { attribute, scope } from '../scope.ts';
import { trigger } from '../trigger.ts';
import { type BulkKindName, bulkKindNames } from './bulk-kind-names.ts';

const resources: Record<BulkKindName, AnyResource> = {
  scopes: scope,
  attributes: attribute,
  'mute-schedules': muteSchedule,
  'email-action-sender-settings': emailActionSenderSetting,
  'notification-email-settings': notificationSettingEmail,
  actions: action,
  runbooks: runbook,
  'receive-slots': receiveSlot,
  rules: rule,
  triggers: trigger,
};

/** Column with the integer that identifies an item in files; permanent within its space. */
export const keyColumn = '$key';
/** Column with `true` to delete the item of the row. */
export const deleteColumn = '$delete';

export interface BulkKind {
  name: BulkKindName;
  resource: AnyResource;
  /** Field with the parent's id, for items that have a parent. */
  parentField: string | undefined;
  /** Whether items are identified by `$key`; otherwise by parent and name. */
  hasKeyColumn: boolean;
  /** Fields of a row without key, parent and secrets. */
  fields: Record<string, FieldMeta>;
  /** Header columns of an export. */
  columns: string[];
  /** Columns that are accepted but not read. */
  ignoredColumns: string[];
  /** Fields whose numbers keep every digit. */
  exactFields: readonly string[];
  /** Converts an item's input for writing to cells; numbers of exact fields keep every digit. */
  toExactInput(input: Record<string, unknown>): Record<string, unknown>;
}

/** The kind with this name; undefined if unknown. */
export function bulkKind(name: string): BulkKind | undefined {
  if (!Object.hasOwn(resources, name)) return undefined;
  const resource = resources[name as BulkKindName];
  const hasKeyColumn = resource.name !== attribute.name;
  const parentField = resource.parent ? `${resource.parent}Id` : undefined;
  const fields = {
    ...(hasKeyColumn ? {} : { [resource.id]: itemFields(resource)[resource.id]! }),
    ...Object.fromEntries(Object.entries(inputFields(resource)).filter(([, meta]) => meta.kind !== 'secret')),
  };
  const columns = [
    ...(hasKeyColumn ? [keyColumn] : []),
    ...(parentField ? [parentField] : []),
    ...Object.keys(fields),
    deleteColumn,
  ];
  const ignoredColumns = Object.keys(itemFields(resource)).filter((column) => !columns.includes(column));
  const isExact = resource.name === runbook.name;
  return {
    name: name as BulkKindName,
    resource,
    parentField,
    hasKeyColumn,
    fields,
    columns,
    ignoredColumns,
    exactFields: isExact ? exactFields : [],
    toExactInput: (input) => (isExact ? { ...input, steps: exactSteps(input.steps as unknown[]) } : input),
  };
}

/** The kind of a resource's items; undefined if they are not imported or exported. */
export function bulkKindForResource(resourceName: string): BulkKindName | undefined {
  return bulkKindNames.find((name) => resources[name].name === resourceName);
}
