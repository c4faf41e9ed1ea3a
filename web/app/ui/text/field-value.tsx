// Read-only rendering of a value of any field kind.
import { rruleSentence } from '@yagura/core/schedule/mute-sentence';
import type { ReactElement } from 'react';
import { useTranslation } from '../translation.tsx';
import { CopyButton } from './copy-id.tsx';
import { JsonView } from './json-view.tsx';
import { ScrollableText } from './scrollable-text.tsx';
import {
  describeMembers,
  EmptyValue,
  isEmptyValue,
  itemField,
  PlainText,
  ShortValue,
  type ValueProps,
} from './short-value.tsx';

export function FieldValue(props: ValueProps): ReactElement {
  const { meta, value, isCompact } = props;
  const translation = useTranslation();
  if (meta.kind === 'secret' || isEmptyValue(value)) return <ShortValue {...props} />;
  if (isCompact && meta.kind !== 'rrule') return <ShortValue {...props} each={FieldValue} />;
  switch (meta.kind) {
    case 'url':
      return <Address text={String(value)} label={props.name} />;
    case 'long-text':
    case 'template':
      return <LongText text={String(value)} code={meta.kind === 'template'} />;
    case 'rrule':
      return <span title={String(value)}>{rruleSentence(String(value), translation, translation.t)}</span>;
    case 'list':
      return <Items {...props} />;
    case 'key-values':
    case 'object':
    case 'variant':
      return <Members {...props} />;
    case 'json':
      return typeof value === 'object' ? <JsonView value={value} /> : <PlainText value={value} />;
    // Their one-line form may be truncated.
    case 'text':
    case 'time-zone':
      return <PlainText value={value} />;
    case 'date':
    case 'date-time':
    case 'seconds':
    case 'bytes':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'reference':
    case 'id':
    case 'email':
      return <ShortValue {...props} />;
  }
}

function Address(props: { text: string; label: string }) {
  const { t, fieldLabel } = useTranslation();
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="font-mono text-xs break-all">{props.text}</code>
      <CopyButton text={props.text} label={t('ui.copy-of', { name: fieldLabel(props.label) })} />
    </span>
  );
}

function LongText({ text, code }: { text: string; code: boolean }) {
  if (!code) return <span className="whitespace-pre-wrap">{text}</span>;
  return (
    <ScrollableText className="max-h-96 border border-line p-2 whitespace-pre-wrap">{text}</ScrollableText>
  );
}

function Items({ value, meta, references, name }: ValueProps) {
  if (!Array.isArray(value)) return <PlainText value={value} />;
  if (value.length === 0) return <EmptyValue />;
  const item = itemField(meta);
  // The members of one item stay together.
  const hasMembers = item.fields !== undefined || item.variants !== undefined;
  return (
    <ul className={hasMembers ? 'grid gap-2 divide-y divide-line *:not-last:pb-2' : 'grid gap-1'}>
      {value.map((entry, row) => (
        <li key={row}>
          <FieldValue meta={item} name={name} value={entry} references={references} />
        </li>
      ))}
    </ul>
  );
}

function Members({ value, meta, references }: ValueProps) {
  const { fieldLabel } = useTranslation();
  const members = describeMembers(meta, value);
  if (!members) return <PlainText value={value} />;
  if (members.length === 0) return <EmptyValue />;
  const isOpen = meta.kind === 'key-values';
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1">
      {members.map(({ name, shape, member }) => (
        <div key={name} className="contents">
          <dt className={isOpen ? 'font-mono text-xs text-muted' : 'text-muted'}>
            {isOpen ? name : fieldLabel(name)}
          </dt>
          <dd className="min-w-0 break-words">
            <FieldValue meta={shape} name={name} value={member} references={references} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
