// Any value of any field kind, for reading.

import { Link } from '@remix-run/react';
import { formatBytes } from '@yagura/core/format/bytes';
import { formatDuration } from '@yagura/core/format/duration';
import { truncate } from '@yagura/core/format/truncate';
import type { FieldFacts } from '@yagura/core/resource/field';
import { rruleSentence } from '@yagura/core/schedule/mute-sentence';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-id.tsx';
import { JsonView } from './json-view.tsx';
import type { References } from './references.ts';
import { StatusBadge } from './status-badge.tsx';
import { Time } from './time.tsx';
import { useWords } from './words.tsx';

interface Props {
  facts: FieldFacts;
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

export function FieldValue(props: Props): ReactNode {
  const { facts, value, compact } = props;
  const words = useWords();
  const { t, value: word } = words;
  if (facts.kind === 'secret') return <span className="text-muted">{t('ui.hidden')}</span>;
  if (value === undefined || value === null || value === '') return <Nothing />;
  switch (facts.kind) {
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
      return facts.tones ? (
        <StatusBadge value={String(value)} tones={facts.tones} options={facts.options} />
      ) : (
        word(String(value))
      );
    case 'reference':
      return (
        <Reference
          id={String(value)}
          known={props.references?.[facts.resource ?? '']}
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
      return <Address text={String(value)} compact={compact} label={props.name} />;
    case 'long-text':
    case 'template':
      return compact ? (
        truncate(oneLine(String(value)))
      ) : (
        <Prose text={String(value)} code={facts.kind === 'template'} />
      );
    case 'rrule':
      return <span title={String(value)}>{rruleSentence(String(value), words, t)}</span>;
    case 'list':
      return <ListValue {...props} />;
    case 'key-values':
    case 'object':
    case 'variant':
      return <MembersValue {...props} />;
    case 'json':
      if (compact || typeof value !== 'object') return <Plain value={value} />;
      return <JsonView value={value} />;
    default:
      return compact ? truncate(oneLine(String(value))) : <Plain value={value} />;
  }
}

function Nothing() {
  return (
    <span aria-hidden="true" className="text-muted">
      —
    </span>
  );
}

function Plain({ value }: { value: unknown }) {
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

function Address(props: { text: string; compact?: boolean; label: string }) {
  const { t, label } = useWords();
  if (props.compact) return <span className="font-mono text-xs">{truncate(props.text, 60)}</span>;
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="font-mono text-xs break-all">{props.text}</code>
      <CopyButton text={props.text} label={t('ui.copy-of', { name: label(props.label) })} />
    </span>
  );
}

function Prose({ text, code }: { text: string; code: boolean }) {
  if (!code) return <span className="whitespace-pre-wrap">{text}</span>;
  return (
    <pre className="max-h-96 overflow-auto rounded-md border border-line bg-surface-sunken p-2 font-mono text-xs whitespace-pre-wrap">
      {text}
    </pre>
  );
}

function ListValue(props: Props) {
  const { value, facts, compact, references, name } = props;
  if (!Array.isArray(value)) return <Plain value={value} />;
  if (value.length === 0) return <Nothing />;
  const item: FieldFacts = facts.item ?? { kind: 'json', required: true, nullable: false };
  const shown = compact ? value.slice(0, fewItems) : value;
  const one = (entry: unknown) => (
    <FieldValue facts={item} name={name} value={entry} references={references} compact={compact} />
  );
  if (compact) {
    return (
      <span>
        {shown.map((entry, row) => (
          <span key={row}>
            {row > 0 && ', '}
            {one(entry)}
          </span>
        ))}
        {value.length > fewItems && <span className="text-muted"> +{value.length - fewItems}</span>}
      </span>
    );
  }
  return (
    <ul className="grid gap-1">
      {shown.map((entry, row) => (
        <li key={row}>{one(entry)}</li>
      ))}
    </ul>
  );
}

function MembersValue(props: Props) {
  const { label } = useWords();
  const { value, facts, references, compact } = props;
  if (typeof value !== 'object' || value === null) return <Plain value={value} />;
  const shapes = memberFacts(facts, value);
  const text: FieldFacts = {
    kind: facts.kind === 'key-values' ? 'text' : 'json',
    required: false,
    nullable: true,
  };
  const members = Object.entries(value).filter(
    ([, member]) => member !== undefined && member !== null && member !== '',
  );
  if (members.length === 0) return <Nothing />;
  const named = (name: string) => (facts.kind === 'key-values' ? name : label(name));
  const one = (name: string, member: unknown) => (
    <FieldValue
      facts={shapes[name] ?? text}
      name={name}
      value={member}
      references={references}
      compact={compact}
    />
  );
  if (compact) {
    return (
      <span className="text-sm">
        {members.map(([name, member], place) => (
          <span key={name} className="whitespace-nowrap">
            {place > 0 && <span className="text-muted"> · </span>}
            <span className="text-muted">{named(name)} </span>
            {one(name, member)}
          </span>
        ))}
      </span>
    );
  }
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1">
      {members.map(([name, member]) => (
        <div key={name} className="contents">
          <dt className={facts.kind === 'key-values' ? 'font-mono text-xs text-muted' : 'text-muted'}>
            {named(name)}
          </dt>
          <dd className="min-w-0 break-words">{one(name, member)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Facts of the members: of an object its own, of a variant those of the first shape that has all the value's members. */
function memberFacts(facts: FieldFacts, value: object): Record<string, FieldFacts> {
  if (facts.fields) return facts.fields;
  const names = Object.keys(value);
  const shapes = Object.values(facts.variants ?? {});
  return shapes.find((shape) => names.every((name) => name in shape)) ?? {};
}

function oneLine(text: string): string {
  return text.slice(0, 1000).replace(/\s+/g, ' ');
}
