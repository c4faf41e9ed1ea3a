// One-line rendering of a value of any field kind, for table cells; kinds that need more space or
// translations use FieldValue.
import { Link } from '@remix-run/react';
import { formatBytes } from '@yagura/core/format/bytes';
import { formatDateTime, formatDay } from '@yagura/core/format/date-time';
import { formatDuration } from '@yagura/core/format/duration';
import { truncate } from '@yagura/core/format/truncate';
import { formatWholeNumber } from '@yagura/core/format/whole-number';
import type { FieldMeta } from '@yagura/core/resource/field';
import { referenceTarget } from '@yagura/core/resource/reference-target';
import type { ComponentType, ReactElement } from 'react';
import type { References } from '../references.ts';
import { useTranslation } from '../translation.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Time } from './time.tsx';
import { isUpcoming } from './use-age.ts';

export interface ValueProps {
  meta: FieldMeta;
  name: string;
  value: unknown;
  references?: References;
  /** One line, for a table cell. */
  isCompact?: boolean;
  /** Renders no links, for a value inside a link. */
  withoutLink?: boolean;
}

/** Maximum list items shown in one line. */
const maxInlineItems = 3;

/** Excludes `undefined`, so that the compiler finds a kind that nothing renders. */
type Rendered = ReactElement | string;

/** `each` renders nested values. */
export function ShortValue(props: ValueProps & { each?: ComponentType<ValueProps> }): Rendered {
  const { meta, value } = props;
  const { t, language, choiceLabel: word } = useTranslation();
  if (meta.kind === 'secret') return <span className="text-muted">{t('ui.hidden')}</span>;
  if (value === null && meta.nullChoice !== undefined) return word(meta.nullChoice);
  if (isEmptyValue(value)) return <EmptyValue />;
  switch (meta.kind) {
    case 'date':
      return typeof value === 'string' ? (
        <time dateTime={value} className="whitespace-nowrap tabular-nums">
          {formatDay(value, language)}
        </time>
      ) : (
        <PlainText value={value} />
      );
    case 'date-time':
      return typeof value === 'string' ? (
        <Time value={value} upcoming={isUpcoming(props.name)} />
      ) : (
        <PlainText value={value} />
      );
    case 'seconds':
      return typeof value === 'number' ? formatDuration(value, t) : <PlainText value={value} />;
    case 'bytes':
      return typeof value === 'number' ? (
        <span className="tabular-nums">{formatBytes(value)}</span>
      ) : (
        <PlainText value={value} />
      );
    case 'integer':
    case 'number':
      return (
        <span className="tabular-nums">
          {typeof value === 'number' && !meta.identifies ? formatWholeNumber(value) : String(value)}
        </span>
      );
    case 'boolean':
      return t(value ? 'ui.yes' : 'ui.no');
    case 'choice':
      return meta.tones ? (
        <StatusBadge value={String(value)} tones={meta.tones} options={meta.options} />
      ) : (
        word(String(value))
      );
    case 'reference':
      return (
        <Reference
          id={String(value)}
          known={props.references?.[meta.resource ?? '']}
          withoutLink={props.withoutLink}
        />
      );
    case 'id':
      return <span className="font-mono text-xs break-all">{String(value)}</span>;
    case 'email':
      return props.withoutLink ? (
        String(value)
      ) : (
        <a
          href={`mailto:${encodeURIComponent(String(value))}`}
          className="relative z-1 text-primary hover:underline"
        >
          {String(value)}
        </a>
      );
    case 'url':
      return <span className="font-mono text-xs">{truncate(String(value), 60)}</span>;
    case 'list':
      return <Items {...props} />;
    case 'key-values':
    case 'object':
    case 'variant':
      return <Members {...props} />;
    case 'json':
      return <PlainText value={value} />;
    case 'text':
    case 'long-text':
    case 'template':
    case 'rrule':
    case 'time-zone':
      return truncate(toOneLine(String(value)));
  }
}

export function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export function EmptyValue() {
  return (
    <span aria-hidden="true" className="text-muted">
      —
    </span>
  );
}

export function PlainText({ value }: { value: unknown }) {
  return truncate(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 500);
}

function Reference(props: { id: string; known?: References[string]; withoutLink?: boolean }) {
  const { t, language, timeZone } = useTranslation();
  const found = props.known?.[props.id];
  if (found === null)
    return (
      <span title={props.id} className="text-muted">
        {t('ui.deleted')}
      </span>
    );
  if (!found) return <span className="font-mono text-xs break-all">{props.id}</span>;
  const name = found.at ? formatDateTime(found.at, { language, timeZone }) : found.name;
  if (!found.href || props.withoutLink) return name;
  return (
    <Link to={found.href} className="relative z-1 text-primary hover:underline">
      {name}
    </Link>
  );
}

function Items({ value, meta, references, name, each: Each = ShortValue }: Parameters<typeof ShortValue>[0]) {
  if (!Array.isArray(value)) return <PlainText value={value} />;
  if (value.length === 0) return <EmptyValue />;
  return (
    <span>
      {value.slice(0, maxInlineItems).map((entry, row) => (
        <span key={row}>
          {row > 0 && ', '}
          <Each meta={itemField(meta)} name={name} value={entry} references={references} isCompact />
        </span>
      ))}
      {value.length > maxInlineItems && <span className="text-muted"> +{value.length - maxInlineItems}</span>}
    </span>
  );
}

function Members({ value, meta, references, each: Each = ShortValue }: Parameters<typeof ShortValue>[0]) {
  const { fieldLabel } = useTranslation();
  const members = describeMembers(meta, value);
  if (!members) return <PlainText value={value} />;
  if (members.length === 0) return <EmptyValue />;
  const [only] = members;
  if (meta.fields && Object.keys(meta.fields).length === 1 && members.length === 1)
    return (
      <Each meta={only!.shape} name={only!.name} value={only!.member} references={references} isCompact />
    );
  return (
    <span className="text-sm">
      {members.map(({ name, shape, member }, index) => (
        <span key={name} className="inline-block max-w-full">
          {index > 0 && <span className="text-muted"> · </span>}
          <span className="text-muted">{meta.kind === 'key-values' ? name : fieldLabel(name)} </span>
          <Each meta={shape} name={name} value={member} references={references} isCompact />
        </span>
      ))}
    </span>
  );
}

/** Returns the metadata of a list's items. */
export function itemField(field: FieldMeta): FieldMeta {
  return field.item ?? { kind: 'json', required: true, nullable: false };
}

/** Returns the non-empty members of a value with their metadata, declared ones in their order; undefined if it has none. */
export function describeMembers(field: FieldMeta, value: unknown) {
  if (typeof value !== 'object' || value === null) return undefined;
  const shapes = memberFields(field, value);
  const text: FieldMeta = {
    kind: field.kind === 'key-values' ? 'text' : 'json',
    required: false,
    nullable: true,
  };
  // The database does not keep the order of members.
  const order = Object.keys(shapes);
  const rank = (name: string) => (name in shapes ? order.indexOf(name) : order.length);
  return Object.entries(value)
    .filter(([, member]) => !isEmptyValue(member))
    .sort(([one], [other]) => rank(one) - rank(other))
    .map(([name, member]) => {
      const shape = shapes[name] ?? text;
      const resource = referenceTarget(shape, value);
      return { name, member: member as unknown, shape: resource ? { ...shape, resource } : shape };
    });
}

/**
 * Metadata of the members: of an object its own, of a variant that of the first shape with all of the value's
 * members.
 */
function memberFields(field: FieldMeta, value: object): Record<string, FieldMeta> {
  if (field.fields) return field.fields;
  const names = Object.keys(value);
  const shapes = Object.values(field.variants ?? {});
  return shapes.find((shape) => names.every((name) => name in shape)) ?? {};
}

function toOneLine(text: string): string {
  return text.slice(0, 1000).replace(/\s+/g, ' ');
}
