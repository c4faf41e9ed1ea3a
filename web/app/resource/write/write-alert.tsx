// Alert above a form whose submission was rejected for a reason that concerns no field.
import { Link } from '@remix-run/react';
import { formatDateTime } from '@yagura/core/format/date-time';
import { useEffect, useRef } from 'react';
import { discardUnsavedChanges } from '../../ui/form/unsaved-changes.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { overwriteField } from './hidden-field.ts';
import { useProblemText } from './use-problem-toast.ts';
import type { ActionProblem } from './write.server.ts';

const choiceClass = 'font-semibold underline';

/**
 * If the item was changed since the form was opened, the alert offers to save the form with this id anyway or
 * to discard its entries.
 */
export function WriteAlert({ actionProblem, formId }: { actionProblem: ActionProblem; formId: string }) {
  const { t, fieldLabel, language, timeZone } = useTranslation();
  const { conflict } = actionProblem;
  const formatProblem = useProblemText();
  const box = useRef<HTMLDivElement>(null);
  // The button that was pressed may be far below.
  useEffect(() => {
    if (actionProblem) box.current?.focus();
  }, [actionProblem]);
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="mb-4 flex items-start gap-2 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg"
    >
      <Icon name="error" className="mt-0.5" />
      <div>
        <p>{formatProblem(actionProblem)}</p>
        {conflict?.changedAt && (
          <p>{t('web.changed-at', { time: formatDateTime(conflict.changedAt, { language, timeZone }) })}</p>
        )}
        {conflict && (
          <p>
            {conflict.fields.length === 0
              ? t('web.same-entries')
              : t('web.save-replaces', { fields: conflict.fields.map(fieldLabel).join(t('problem.comma')) })}
          </p>
        )}
        {actionProblem.problem.kind === 'changed' && (
          <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
            <button type="submit" form={formId} name={overwriteField} value="true" className={choiceClass}>
              {t('web.save-anyway')}
            </button>
            <Link to="" reloadDocument onClick={discardUnsavedChanges} className={choiceClass}>
              {t('web.discard-and-reload')}
            </Link>
          </p>
        )}
      </div>
    </div>
  );
}
