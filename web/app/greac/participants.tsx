// List of a session's current participants.
import { Time } from '../ui/text/time.tsx';
import { useTranslation } from '../ui/translation.tsx';

export interface Participant {
  userId: string;
  displayName: string;
  joinedAt: string;
}

export function ParticipantList({ participants }: { participants: readonly Participant[] }) {
  const { t } = useTranslation();
  if (participants.length === 0) return <span className="text-muted">{t('greac.nobody')}</span>;
  return (
    <ul className="grid gap-1">
      {participants.map(({ userId, displayName, joinedAt }) => (
        <li key={userId} className="flex flex-wrap gap-x-2">
          <span>{displayName || userId}</span>
          <span className="text-muted">
            <Time value={joinedAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
