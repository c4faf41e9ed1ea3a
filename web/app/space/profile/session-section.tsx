// Profile section for the user's sign-in sessions: end one or all.
import { formatUserAgent } from '@yagura/core/format/user-agent';
import type { Item } from '@yagura/core/resource/define-resource';
import type { signInSession } from '@yagura/core/space/sign-in-session';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { IntentForm, ProfileSection } from './section.tsx';
import { resultFor, type SecurityResult } from './security-result.ts';

/** The user has to reauthenticate if two-step verification is on. */
export function SessionSection(props: {
  sessions: Item<typeof signInSession>[];
  needsProof: boolean;
  result: SecurityResult | undefined;
}) {
  const { sessions, needsProof, result } = props;
  const { t } = useTranslation();
  const [ending, setEnding] = useState<string>();
  const ended = resultFor(result, 'session-end');
  const endedAll = resultFor(result, 'end-all');
  return (
    <ProfileSection title={t('factor.sessions')}>
      <ul className="mb-4 grid grid-cols-1 gap-2 text-sm">
        {sessions.map((one) => (
          <li
            key={one.signInSessionId}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line pb-2"
          >
            <div className="min-w-56 flex-1">
              <p className="font-medium">
                {t(`factor.client-${one.client}`)}
                {one.current && <span className="ml-2 text-muted">{t('factor.this-session')}</span>}
              </p>
              <p className="truncate text-xs text-muted" title={one.userAgent}>
                {one.address} · {formatUserAgent(one.userAgent)}
              </p>
              <p className="text-xs text-muted">
                {t('label.lastUsedAt')}: <Time value={one.lastUsedAt} />
              </p>
            </div>
            {needsProof && ending !== one.signInSessionId ? (
              <Button onClick={() => setEnding(one.signInSessionId)}>{t('factor.end-session')}</Button>
            ) : (
              <IntentForm
                intent="session-end"
                submit={t('factor.end-session')}
                error={needsProof ? ended?.errors?.[''] : undefined}
                {...(needsProof ? { proof: { errors: ended?.errors } } : {})}
              >
                <input type="hidden" name="id" value={one.signInSessionId} />
              </IntentForm>
            )}
          </li>
        ))}
      </ul>
      <p className="mb-2 text-sm text-muted">{t('factor.end-all-explain')}</p>
      {needsProof && ending !== 'all' ? (
        <Button variant="danger" onClick={() => setEnding('all')}>
          {t('factor.end-all')}
        </Button>
      ) : (
        <IntentForm
          intent="end-all"
          submit={t('factor.end-all')}
          variant="danger"
          error={endedAll?.errors?.['']}
          {...(needsProof ? { proof: { errors: endedAll?.errors } } : {})}
        />
      )}
    </ProfileSection>
  );
}
