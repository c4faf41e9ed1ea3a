// Finds another node of the network, and merges it into this one.
import { Form } from '@remix-run/react';
import type { Item } from '@yagura/core/resource/define-resource';
import type { managedNode } from '@yagura/core/sonar/managed-node';
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { useDecision } from './use-decision.ts';

type Candidate = Item<typeof managedNode>;

export function MergeForm({ find, candidates }: { find: string; candidates: Candidate[] | null }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Panel title={t('sonar.merge.title')} padded>
      <p className="mb-2 max-w-prose text-sm text-muted">{t('sonar.merge.text')}</p>
      <Form method="get" preventScrollReset className="flex max-w-xl flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1">
          <label htmlFor={id} className="mb-1 block text-sm font-medium">
            {t('sonar.merge.find')}
          </label>
          <input
            id={id}
            type="search"
            name="find"
            defaultValue={find}
            maxLength={100}
            required
            className={`${controlClass} h-8`}
          />
        </div>
        <Button type="submit" icon="search">
          {t('search.run')}
        </Button>
      </Form>
      {candidates?.length === 0 && <p className="mt-2 text-sm text-muted">{t('search.none')}</p>}
      {candidates && candidates.length > 0 && (
        <ul className="mt-3 grid gap-2">
          {candidates.map((one) => (
            <li key={one.managedNodeId}>
              <CandidateRow candidate={one} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function CandidateRow({ candidate }: { candidate: Candidate }) {
  const { t } = useTranslation();
  const { isBusy, post } = useDecision('merge');
  const { managedNodeId, displayName, addr, macaddr } = candidate;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="min-w-0 flex-1 break-words">
        {displayName}{' '}
        <span className="text-xs text-muted">
          {[addr, macaddr].filter((text) => text && text !== displayName).join(' · ')}
        </span>
      </span>
      <Button
        size="small"
        busy={isBusy}
        aria-label={`${t('sonar.merge.run')}: ${displayName}`}
        onClick={() => post(managedNodeId)}
      >
        {t('sonar.merge.run')}
      </Button>
    </div>
  );
}
