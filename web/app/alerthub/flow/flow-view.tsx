// Read-only views of a rule's or trigger's settings as plain sentences.

import { Link } from '@remix-run/react';
import type { ConditionalEventParam, EventParam, Step } from '@yagura/core/alerthub/flow-schema';
import type { Condition, RelatedMessageFilter } from '@yagura/core/alerthub/trigger';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { References } from '../../ui/references.ts';
import { useTranslation } from '../../ui/translation.tsx';
import {
  describeCondition,
  describeEvent,
  describeRelatedFilter,
  describeScopes,
  describeStep,
} from './step-sentence.ts';

/** The steps of a flow. `kinds` maps each operator id to its kind. */
export function FlowView(props: {
  flow: { steps: Step[] } | undefined;
  kinds: Record<string, 'test' | 'transform'>;
  purpose: 'rule' | 'trigger';
}) {
  const { t } = useTranslation();
  const steps = props.flow?.steps ?? [];
  return (
    <SentenceList empty={t(`alerthub.no-steps-${props.purpose}`)}>
      {steps.map((step) => {
        const kind = Object.hasOwn(props.kinds, step.operatorId) ? props.kinds[step.operatorId] : undefined;
        const icon: IconName = kind === 'test' ? 'filter' : kind === 'transform' ? 'edit' : 'help';
        return { icon, text: describeStep({ ...step, params: step.params ?? {} }, kind, t) };
      })}
    </SentenceList>
  );
}

export function ConditionsView({ conditions }: { conditions: Condition[] | undefined }) {
  const { t } = useTranslation();
  return (
    <SentenceList empty={t('alerthub.no-conditions')}>
      {(conditions ?? []).map((condition) => ({
        icon: 'filter' as const,
        text: describeCondition({ ...condition, params: condition.params ?? {} }, t),
      }))}
    </SentenceList>
  );
}

/** The events that a rule raises at named scopes. */
export function EventParamsView(props: { value: EventParam[] | undefined; references?: References }) {
  const { t } = useTranslation();
  return (
    <SentenceList empty={t('alerthub.no-events')}>
      {(props.value ?? []).map((param) => {
        const scope = props.references?.scope?.[param.scopeId];
        const unknown = scope === null ? `${param.scopeId} ${t('alerthub.gone')}` : param.scopeId;
        return {
          icon: 'right' as const,
          text: describeEvent(param, scope?.name ?? unknown, t),
          href: scope?.href,
        };
      })}
    </SentenceList>
  );
}

/** The events that a rule raises at scopes selected by attributes or display name. */
export function ConditionalEventParamsView({ value }: { value: ConditionalEventParam[] | undefined }) {
  const { t } = useTranslation();
  return (
    <SentenceList empty={t('alerthub.no-conditional-events')}>
      {(value ?? []).map((param) => ({
        icon: 'right' as const,
        text: describeEvent(param, describeScopes(param, t), t),
      }))}
    </SentenceList>
  );
}

/** The filters that define which messages are related. */
export function RelatedFiltersView({ filters }: { filters: readonly RelatedMessageFilter[] | undefined }) {
  const { t } = useTranslation();
  return (
    <SentenceList empty={t('related.none')}>
      {(filters ?? []).map((filter) => ({ icon: 'right' as const, text: describeRelatedFilter(filter, t) }))}
    </SentenceList>
  );
}

interface Sentence {
  icon: IconName;
  text: string;
  href?: string;
}

function SentenceList({ children, empty }: { children: Sentence[]; empty: string }): ReactNode {
  if (children.length === 0) return <span className="text-sm text-muted">{empty}</span>;
  return (
    <ol className="grid grid-cols-1 gap-1 text-sm">
      {children.map((sentence, index) => (
        <li key={index} className="flex items-start gap-2">
          <span className="w-5 shrink-0 text-right text-xs leading-5 text-muted tabular-nums">
            {index + 1}
          </span>
          <Icon name={sentence.icon} size={13} className="mt-1 text-muted" />
          <span className="min-w-0 break-words">
            {sentence.href ? (
              <Link
                to={sentence.href}
                className="text-text underline decoration-line-strong underline-offset-2"
              >
                {sentence.text}
              </Link>
            ) : (
              sentence.text
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
