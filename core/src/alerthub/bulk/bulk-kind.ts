// The kinds of configuration that travel in files: what each file's columns are, derived from the resource's input.
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

/** Integer that stands for an item's id in files; the same for an item for ever, in its space. */
export const keyColumn = '$key';
/** `true` deletes the item of the row. */
export const deleteColumn = '$delete';

export interface BulkKind {
  name: BulkKindName;
  resource: AnyResource;
  /** Field with the id of what holds the items, when something does. */
  parentField: string | undefined;
  /** Whether items are known by `$key`; those that are not are known by what holds them and their name. */
  hasKeyColumn: boolean;
  /** What a row says of an item, without key, parent and secrets. */
  fields: Record<string, FieldMeta>;
  /** Header of an export. */
  columns: string[];
  /** Columns that may be there and are not read. */
  ignoredColumns: string[];
  /** Fields whose numbers keep every digit. */
  exactFields: readonly string[];
  /** An item's input as cells write it, with numbers that keep every digit. */
  toExactInput(input: Record<string, unknown>): Record<string, unknown>;
}

/** The kind of that name; undefined when there is none. */
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

/** The kind that holds the items of a resource, when they travel in files. */
export function bulkKindForResource(resourceName: string): BulkKindName | undefined {
  return bulkKindNames.find((name) => resources[name].name === resourceName);
}
