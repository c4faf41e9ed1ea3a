// Formats a field value for a terminal: local times, human-readable sizes and durations, colored badges.

import { formatBytes } from '@yagura/core/format/bytes';
import {
  formatDateTime,
  formatDateTimeSeconds,
  formatDay,
  formatShortDateTime,
} from '@yagura/core/format/date-time';
import { formatDuration } from '@yagura/core/format/duration';
import { dataKey } from '@yagura/core/i18n/message-key';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { FieldMeta, Tone } from '@yagura/core/resource/field';
import { cleanLine } from '../../terminal/clean.ts';
import type { Cell } from '../../terminal/table.ts';

export interface Presenter {
  language: Language;
  t: Translate;
  timeZone: string;
  /** Names of referenced items by id. */
  names: ReadonlyMap<string, string>;
  /** Show seconds in times and the labels of nested values; false in tables. */
  exact: boolean;
  /** The time at the space in milliseconds, for ages. */
  now(): number;
}

export function createPresenter(
  settings: { language: Language; t: Translate; serverNow?: () => number },
  names: ReadonlyMap<string, string> = new Map(),
  exact = true,
): Presenter {
  const { language, t, serverNow: now = Date.now } = settings;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { language, t, timeZone, names, exact, now };
}

/** Label of a field; the item's own id is labeled generically, and a field without a label uses its name. */
export function labelOf(field: string, t: Translate, ownId?: string): string {
  if (field === ownId) return t('label.id');
  const label = t(dataKey(`label.${field}`));
  return label === `label.${field}` ? field : label;
}

/** One line of escaped text for a table cell or detail sheet. */
export function presentValue(value: unknown, field: FieldMeta | undefined, presenter: Presenter): Cell {
  if (value === null && field?.nullChoice !== undefined)
    return { text: choiceLabel(field.nullChoice, presenter.t) };
  if (value === null || value === undefined || value === '') return { text: '-', style: 'dim' };
  const { text, style } = presentNonEmpty(value, field, presenter);
  // An empty list or object.
  return text === '' ? { text: '-', style: 'dim' } : { text: cleanLine(text), style };
}

/** A table cell: the value, with a shorter form for a crowded table where there is one. */
export function presentCell(
  value: unknown,
  field: FieldMeta | undefined,
  presenter: Presenter,
  now: number,
): Cell {
  const cell = presentValue(value, field, presenter);
  if (typeof value !== 'string' || value === '') return cell;
  if (field?.kind === 'date-time') return { ...cell, short: formatShortDateTime(value, now, presenter) };
  return field?.kind === 'id' ? { ...cell, short: shortenUuid(cell.text) } : cell;
}

/** Both ends of a UUID: the first digits of several are often equal, because they count the time. */
function shortenUuid(id: string): string {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

function presentNonEmpty(
  value: unknown,
  field: FieldMeta | undefined,
  presenter: Presenter,
): { text: string; style?: Tone } {
  const { t } = presenter;
  if (!field) return { text: rawText(value) };
  switch (field.kind) {
    case 'date':
      return { text: formatDay(String(value), presenter.language) };
    case 'date-time':
      return { text: (presenter.exact ? formatDateTimeSeconds : formatDateTime)(String(value), presenter) };
    case 'seconds':
      return { text: formatDuration(Number(value), t) };
    case 'bytes':
      return { text: formatBytes(Number(value)) };
    case 'boolean':
      return { text: t(value ? 'value.true' : 'value.false') };
    case 'choice':
      return { text: choiceLabel(String(value), t), style: field.tones?.[String(value)] };
    case 'reference':
      return { text: presenter.names.get(String(value)) ?? String(value) };
    case 'list':
      return {
        text: (value as unknown[])
          .map((item) => presentNonEmpty(item, field.item, presenter).text)
          .join(', '),
      };
    case 'object':
      return {
        text: (presenter.exact ? labeledText : compactText)(
          value as Record<string, unknown>,
          field.fields ?? {},
          presenter,
        ),
      };
    case 'id':
    case 'text':
    case 'long-text':
    case 'template':
    case 'email':
    case 'url':
    case 'integer':
    case 'number':
    case 'key-values':
    case 'variant':
    case 'json':
    case 'secret':
    case 'rrule':
    case 'time-zone':
      return { text: rawText(value) };
  }
}

function rawText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A nested value in a table cell: its name if it has one, else its parts without labels. */
function compactText(
  value: Record<string, unknown>,
  fields: Record<string, FieldMeta>,
  presenter: Presenter,
): string {
  if (typeof value.displayName === 'string' && value.displayName !== '') return value.displayName;
  const parts = Object.entries(value).filter(([, part]) => part !== null && part !== '');
  const gap = parts.every(([, part]) => typeof part === 'number') ? '/' : ' ';
  return parts.map(([name, part]) => presentNonEmpty(part, fields[name], presenter).text).join(gap);
}

function labeledText(
  value: Record<string, unknown>,
  fields: Record<string, FieldMeta>,
  presenter: Presenter,
): string {
  return Object.entries(value)
    .map(
      ([name, part]) =>
        `${labelOf(name, presenter.t)} ${part === null ? '-' : presentNonEmpty(part, fields[name], presenter).text}`,
    )
    .join(', ');
}

function choiceLabel(value: string, t: Translate): string {
  const word = t(dataKey(`value.${value}`));
  return word === `value.${value}` ? value : word;
}

/** The value with the names of referenced items in place of their ids, for nested values shown as a block. */
export function nameReferences(
  value: unknown,
  field: FieldMeta | undefined,
  names: ReadonlyMap<string, string>,
): unknown {
  if (!field || value === null || value === undefined) return value;
  if (field.kind === 'reference') return names.get(String(value)) ?? value;
  if (Array.isArray(value)) return value.map((item) => nameReferences(item, field.item, names));
  if (typeof value !== 'object' || !field.fields) return value;
  const { fields } = field;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, nameReferences(part, fields[name], names)]),
  );
}

/** The complete value for a program on one line: ISO dates, plain numbers, JSON for nested values. */
export function plainValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
