// A value of any field kind in one line, for the cells of tables: what needs room, or a language of its own, is left to FieldValue.
import { Link } from '@remix-run/react';
import { formatBytes } from '@yagura/core/format/bytes';
import { formatDuration } from '@yagura/core/format/duration';
import { truncate } from '@yagura/core/format/truncate';
import type { FieldMeta } from '@yagura/core/resource/field';
import { referredBy } from '@yagura/core/resource/referred-by';
import type { ComponentType, ReactNode } from 'react';
import type { References } from './references.ts';
import { StatusBadge } from './status-badge.tsx';
import { Time } from './time.tsx';
import { useTranslation } from './words.tsx';

export interface ValueProps {
  meta: FieldMeta;
  name: string;
  value: unknown;
  references?: References;
  /** One line, for a table's cell. */
  compact?: boolean;
  /** Draws no links, for a value that stands inside one. */
  linkless?: boolean;
}

/** Rows of a list shown in one line. */
const fewItems = 3;

/** `each` draws the values within a value. */
export function ShortValue(props: ValueProps & { each?: ComponentType<ValueProps> }): ReactNode {
  const { meta, value } = props;
  const { t, value: word } = useTranslation();
  if (meta.kind === 'secret') return <span className="text-muted">{t('ui.hidden')}</span>;
  if (isNothing(value)) return <Nothing />;
  switch (meta.kind) {
    case 'date-time':
      return typeof value === 'string' ? <Time value={value} /> : <Plain value={value} />;
    case 'seconds':
      return typeof value === 'number' ? formatDuration(value, t) : <Plain value={value} />;
    case 'bytes':
      return typeof value === 'number' ? (
        <span className="tabular-nums">{formatBytes(value)}</span>
      ) : (
        <Plain value={value} />
      );
    case 'integer':
    case 'number':
      return <span className="tabular-nums">{String(value)}</span>;
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
          linkless={props.linkless}
        />
      );
    case 'id':
      return <span className="font-mono text-xs break-all">{String(value)}</span>;
    case 'email':
      return props.linkless ? (
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
      return <Plain value={value} />;
    default:
      return truncate(oneLine(String(value)));
  }
}

export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export function Nothing() {
  return (
    <span aria-hidden="true" className="text-muted">
      —
    </span>
  );
}

export function Plain({ value }: { value: unknown }) {
  return truncate(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 500);
}

function Reference(props: {
  id: string;
  known?: Record<string, { name: string; href?: string }>;
  linkless?: boolean;
}) {
  const found = props.known?.[props.id];
  if (!found) return <span className="font-mono text-xs">{props.id}</span>;
  if (!found.href || props.linkless) return found.name;
  return (
    <Link to={found.href} className="relative z-1 text-primary hover:underline">
      {found.name}
    </Link>
  );
}

function Items({ value, meta, references, name, each: Each = ShortValue }: Parameters<typeof ShortValue>[0]) {
  if (!Array.isArray(value)) return <Plain value={value} />;
  if (value.length === 0) return <Nothing />;
  return (
    <span>
      {value.slice(0, fewItems).map((entry, row) => (
        <span key={row}>
          {row > 0 && ', '}
          <Each meta={itemOf(meta)} name={name} value={entry} references={references} compact />
        </span>
      ))}
      {value.length > fewItems && <span className="text-muted"> +{value.length - fewItems}</span>}
    </span>
  );
}

function Members({ value, meta, references, each: Each = ShortValue }: Parameters<typeof ShortValue>[0]) {
  const { label } = useTranslation();
  const members = membersOf(meta, value);
  if (!members) return <Plain value={value} />;
  if (members.length === 0) return <Nothing />;
  return (
    <span className="text-sm">
      {members.map(({ name, shape, member }, place) => (
        <span key={name} className="inline-block max-w-full">
          {place > 0 && <span className="text-muted"> · </span>}
          <span className="text-muted">{meta.kind === 'key-values' ? name : label(name)} </span>
          <Each meta={shape} name={name} value={member} references={references} compact />
        </span>
      ))}
    </span>
  );
}

/** Facts of the items of a list. */
export function itemOf(field: FieldMeta): FieldMeta {
  return field.item ?? { kind: 'json', required: true, nullable: false };
}

/** The members of a value that are something, with their facts; nothing when the value has no members. */
export function membersOf(field: FieldMeta, value: unknown) {
  if (typeof value !== 'object' || value === null) return undefined;
  const shapes = memberFields(field, value);
  const text: FieldMeta = {
    kind: field.kind === 'key-values' ? 'text' : 'json',
    required: false,
    nullable: true,
  };
  return Object.entries(value)
    .filter(([, member]) => !isNothing(member))
    .map(([name, member]) => {
      const shape = shapes[name] ?? text;
      const resource = referredBy(shape, value);
      return { name, member: member as unknown, shape: resource ? { ...shape, resource } : shape };
    });
}

/** Facts of the members: of an object its own, of a variant those of the first shape that has all the value's members. */
function memberFields(field: FieldMeta, value: object): Record<string, FieldMeta> {
  if (field.fields) return field.fields;
  const names = Object.keys(value);
  const shapes = Object.values(field.variants ?? {});
  return shapes.find((shape) => names.every((name) => name in shape)) ?? {};
}

function oneLine(text: string): string {
  return text.slice(0, 1000).replace(/\s+/g, ' ');
}
