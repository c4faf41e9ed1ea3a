// Where the person is signed in, in the profile: end one, or all.
import type { Item } from '@yagura/core/resource/define-resource';
import type { signInSession } from '@yagura/core/space/sign-in-session';
import { Time } from '../../ui/time.tsx';
import { useWords } from '../../ui/words.tsx';
import { IntentForm, Section } from './section.tsx';

export function SessionSection({ sessions }: { sessions: Item<typeof signInSession>[] }) {
  const { t } = useWords();
  return (
    <Section title={t('factor.sessions')}>
      <ul className="mb-4 grid grid-cols-1 gap-2 text-sm">
        {sessions.map((one) => (
          <li
            key={one.signInSessionId}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line pb-2"
          >
            <div className="min-w-0 flex-1">
              <p className="font-medium">
                {t(`factor.client-${one.client}`)}
                {one.current && <span className="ml-2 text-muted">{t('factor.this-session')}</span>}
              </p>
              <p className="truncate text-xs text-muted" title={one.userAgent}>
                {one.address} · {one.userAgent}
              </p>
            </div>
            <Time value={one.lastUsedAt} />
            <IntentForm intent="session-end" submit={t('factor.end-session')}>
              <input type="hidden" name="id" value={one.signInSessionId} />
            </IntentForm>
          </li>
        ))}
      </ul>
      <p className="mb-2 text-sm text-muted">{t('factor.end-all-explain')}</p>
      <IntentForm intent="end-all" submit={t('factor.end-all')} look="danger" />
    </Section>
  );
}
