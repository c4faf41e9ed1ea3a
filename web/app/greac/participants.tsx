// Who is in a session now.
import { Time } from '../ui/time.tsx';
import { useTranslation } from '../ui/words.tsx';

export interface Participant {
  userId: string;
  displayName: string;
  joinedAt: string;
}

export function Participants({ people }: { people: readonly Participant[] }) {
  const { t } = useTranslation();
  if (people.length === 0) return <span className="text-muted">{t('greac.nobody')}</span>;
  return (
    <ul className="grid gap-1">
      {people.map(({ userId, displayName, joinedAt }) => (
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
