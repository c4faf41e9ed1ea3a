// What the retention settings of each app say about what is deleted.
import { useTranslation } from '../../ui/translation.tsx';

interface RetentionTexts {
  about: string;
  /** Hints of form fields. */
  hints: Record<string, string>;
}

/** The texts of a resource of retention settings. */
export function useRetentionTexts(resource: string): RetentionTexts {
  const { t } = useTranslation();
  const days = t('retention.days-hint');
  const texts: Record<string, RetentionTexts> = {
    'retention-settings': {
      about: t('retention.about'),
      hints: { messageDays: t('retention.message-hint'), historyDays: t('retention.history-hint') },
    },
    'log-retention': { about: t('retention.about-logs'), hints: { logDays: days } },
    'snapshot-retention': { about: t('retention.about-snapshots'), hints: { snapshotDays: days } },
    'result-retention': { about: t('retention.about-results'), hints: { resultDays: days } },
  };
  const own = texts[resource];
  if (!own) throw new Error(`${resource} has no retention texts`);
  return own;
}

/** Whether a field of the settings is a number of days; empty means forever. */
export const isDaysField = (name: string): boolean => name.endsWith('Days');
