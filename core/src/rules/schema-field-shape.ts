// The field of a form that a JSON Schema asks for, as plain JSON.

export type SchemaFieldKind =
  | 'string'
  | 'number'
  | 'integer'
  | 'json-number'
  | 'enum'
  | 'boolean'
  | 'time-zone'
  | 'wide-time'
  | 'list'
  | 'array'
  | 'key-values'
  | 'object';

export type SchemaOption = string | number | boolean;

/** One field of a form. Members that say nothing for a kind are absent. */
export interface SchemaField {
  /** The property's name; '' for the schema as a whole, '*' for an item. */
  name: string;
  kind: SchemaFieldKind;
  required: boolean;
  nullable?: boolean;
  title?: string;
  description?: string;
  /** Absent for a time zone means the viewer's own zone, which only a face can know. */
  default?: unknown;
  /** `enum`: the values, and what to call them where the schema says so. */
  options?: SchemaOption[];
  optionTitles?: string[];
  /** Characters of a string, value of a number, items of a list, array or key-values; both ends count. */
  min?: number;
  max?: number;
  exclusiveMin?: number;
  exclusiveMax?: number;
  multipleOf?: number;
  /** RE2 pattern of a string, or of each item of a list. */
  pattern?: string;
  /** `string`: email, uri, date, time, date-time or ipv4. */
  format?: string;
  /** `list`: characters of each item. */
  minItemLength?: number;
  maxItemLength?: number;
  uniqueItems?: boolean;
  /** `wide-time`: both ends count. */
  minWideTime?: string;
  maxWideTime?: string;
  /** `time-zone`: only offsets from UTC-12 to UTC+14. */
  utcOnly?: boolean;
  /** `array` and `key-values`: what each value is. */
  item?: SchemaField;
  /** `object`: its fields in order. */
  fields?: SchemaField[];
  /** `object`: names beyond the fields are refused. */
  closed?: boolean;
}
