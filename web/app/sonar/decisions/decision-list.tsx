// Merges and splits of a node: what was decided, by whom and when, and undoing it.
import type { Item } from '@yagura/core/resource/define-resource';
import type { nodeDecision } from '@yagura/core/sonar/managed-node';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { useDecision } from './use-decision.ts';

type Decision = Item<typeof nodeDecision>;

export function DecisionList(props: { decisions: Decision[]; managedNodeId: string; mayUndo: boolean }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('sonar.identity.decisions')} padded>
      {props.decisions.length === 0 ? (
        <p className="text-sm text-muted">{t('sonar.identity.decisions-none')}</p>
      ) : (
        <ul className="grid gap-2">
          {props.decisions.map((decision) => (
            <li key={decision.decisionId}>
              <DecisionRow {...props} decision={decision} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function DecisionRow(props: { decision: Decision; managedNodeId: string; mayUndo: boolean }) {
  const { t } = useTranslation();
  const { isBusy, post } = useDecision('undo');
  const { decisionId, kind, otherNodeId, otherName: name, createdBy, createdAt } = props.decision;
  const text =
    kind === 'merge'
      ? t('sonar.identity.merged', { name })
      : otherNodeId === props.managedNodeId
        ? t('sonar.identity.split-from')
        : t('sonar.identity.split-off', { name });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="min-w-0 flex-1 break-words">
        {text}{' '}
        <span className="text-xs text-muted">
          {createdBy} · <Time value={createdAt} age={false} />
        </span>
      </span>
      {props.mayUndo && (
        <Button
          size="small"
          busy={isBusy}
          aria-label={`${t('sonar.undo.run')}: ${text}`}
          onClick={() => post(decisionId)}
        >
          {t('sonar.undo.run')}
        </Button>
      )}
    </div>
  );
}
