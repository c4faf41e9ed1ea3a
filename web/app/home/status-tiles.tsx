// Row of count tiles at the top of the home page.
import { Link } from '@remix-run/react';
import type { ScopeStatus } from '@yagura/core/alerthub/scope-status';
import { formatWholeNumber } from '@yagura/core/format/whole-number';
import type { Tone } from '@yagura/core/resource/field';
import { classNames } from '../ui/class-names.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { toneClass, toneIcon } from '../ui/tones.ts';
import { useTranslation } from '../ui/translation.tsx';
import type { FilteredCount, SectionResult } from './home-data.server.ts';

/** Order and tones of the scopes' tiles. */
const statusTones: [ScopeStatus, Tone][] = [
  ['incident', 'danger'],
  ['warning', 'warning'],
  ['normal', 'success'],
];

export function StatusTiles(props: {
  counts: SectionResult<Record<ScopeStatus, number>>;
  recent: SectionResult<FilteredCount>;
  silentSlots: SectionResult<FilteredCount>;
  failed: SectionResult<number>;
  runningDeliveries: SectionResult<number>;
  scans: SectionResult<FilteredCount>;
  sessions: SectionResult<FilteredCount>;
  calls: SectionResult<FilteredCount>;
}) {
  const { t, choiceLabel } = useTranslation();
  const { counts, recent, silentSlots, failed, runningDeliveries, scans, sessions, calls } = props;
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))]">
      {statusTones.map(([status, tone]) => (
        <Tile
          key={status}
          to={filtered('/apps/alerthub/scopes', `status eq "${status}"`)}
          label={t('page.scopes-of', { status: choiceLabel(status) })}
          count={counts.ok ? { ok: true, value: counts.value[status] } : counts}
          icon={toneIcon[tone]}
          tone={tone}
        />
      ))}
      <Tile
        to={listOf('/apps/alerthub/messages', recent)}
        label={t('page.recent-messages')}
        count={recent}
        icon="inbox"
        tone="info"
      />
      {silentSlots.ok && silentSlots.value.total > 0 && (
        <Tile
          to={listOf('/apps/alerthub/receive-slots', silentSlots)}
          label={t('watch.silent-slots')}
          count={silentSlots}
          icon="warning"
          tone="danger"
        />
      )}
      <Tile to="#deliveries" label={t('page.failed-deliveries')} count={failed} icon="close" tone="danger" />
      <Tile
        to="#deliveries"
        label={t('page.under-way')}
        count={runningDeliveries}
        icon="progress"
        tone="progress"
      />
      <Tile
        // The list of tasks belongs to Devtool, which most users do not see.
        to="/apps/sonar/networks"
        label={t('page.running-scans')}
        count={scans}
        icon="search"
        tone="progress"
      />
      <Tile
        to={listOf('/apps/greac/sessions', sessions)}
        label={t('page.open-sessions')}
        count={sessions}
        icon="terminal"
        tone="progress"
      />
      <Tile
        to={listOf('/apps/pigeon/results', calls)}
        label={t('page.running-calls')}
        count={calls}
        icon="phone"
        tone="progress"
      />
    </ul>
  );
}

const filtered = (path: string, filter: string) => `${path}?${new URLSearchParams({ filter })}`;

/** URL of the list of what was counted. */
const listOf = (path: string, count: SectionResult<FilteredCount>) =>
  filtered(path, count.ok ? count.value.filter : '');

/** Tile with a count; gray if it is 0, or could not be read. There is none for a forbidden count. */
function Tile(props: {
  to: string;
  label: string;
  count: SectionResult<number | Pick<FilteredCount, 'total' | 'isLowerBound'>>;
  icon: IconName;
  tone: Tone;
}) {
  const { count } = props;
  if (!count.ok && count.reason === 'forbidden') return null;
  const value = count.ok ? count.value : { total: 0 };
  const { total, isLowerBound = false } = typeof value === 'number' ? { total: value } : value;
  return (
    <li>
      <Link
        to={props.to}
        prefetch="intent"
        className="flex h-full items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2.5 no-underline shadow-raised hover:border-line-strong"
      >
        <span
          className={classNames(
            'grid size-8 shrink-0 place-items-center rounded-md',
            toneClass[total ? props.tone : 'neutral'],
          )}
        >
          <Icon name={props.icon} />
        </span>
        <span className="min-w-0">
          <span
            className={classNames(
              'block text-xl font-semibold tabular-nums',
              total ? 'text-text' : 'text-muted',
            )}
          >
            {count.ok ? formatWholeNumber(total) : '–'}
            {isLowerBound && '+'}
          </span>
          <span className="block text-xs text-muted [word-break:auto-phrase]">{props.label}</span>
        </span>
      </Link>
    </li>
  );
}
