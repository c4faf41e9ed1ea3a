// When the mute schedules of a scope are active: a sentence each, in the zone in which the schedule repeats, and the next
// windows in the reader's zone.
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

export interface MuteSentence {
  id: string;
  name: string;
  text: string;
  /** Beginnings of the next windows. */
  next: string[];
  /** The last window has ended: such as that of a schedule with the wrong year. */
  isOver: boolean;
}

/** `timeZone` is that of the next windows. */
export function MutePeriods({ sentences, timeZone }: { sentences: MuteSentence[]; timeZone: string }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('mute.when')} padded>
      <ul className="grid gap-2 text-sm">
        {sentences.map((mute) => (
          <li key={mute.id}>
            <span className="font-medium">{mute.name}</span>: {mute.text}
            {mute.next.length > 0 && (
              <span className="text-muted">
                {' '}
                {t('mute.next', { times: mute.next.join(' · '), zone: timeZone })}
              </span>
            )}
            {mute.isOver && <span className="text-warning-fg"> {t('mute.over')}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
