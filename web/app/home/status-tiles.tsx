// Row of count tiles at the top of the home page.
import { Link } from '@remix-run/react';
import type { ScopeStatus } from '@yagura/core/alerthub/scope-status';
import { formatWholeNumber } from '@yagura/core/format/whole-number';
import { classNames } from '../ui/class-names.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useTranslation } from '../ui/translation.tsx';
import type { FilteredCount, SectionResult } from './home-data.server.ts';

const statusStyles: Record<ScopeStatus, { icon: IconName; tone: string }> = {
  incident: { icon: 'error', tone: 'text-danger-fg bg-danger-bg' },
  warning: { icon: 'warning', tone: 'text-warning-fg bg-warning-bg' },
  normal: { icon: 'success', tone: 'text-success-fg bg-success-bg' },
};
const order: ScopeStatus[] = ['incident', 'warning', 'normal'];

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
  const filtered = (path: string, filter: string) => `${path}?${new URLSearchParams({ filter })}`;
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))]">
      {isPermitted(counts) &&
        order.map((status) => (
          <Tile
            key={status}
            to={filtered('/apps/alerthub/scopes', `status eq "${status}"`)}
            label={t('page.scopes-of', { status: choiceLabel(status) })}
            number={counts.ok ? counts.value[status] : null}
            icon={statusStyles[status].icon}
            tone={statusStyles[status].tone}
          />
        ))}
      {isPermitted(recent) && (
        <Tile
          to={filtered('/apps/alerthub/messages', recent.ok ? recent.value.filter : '')}
          label={t('page.recent-messages')}
          number={recent.ok ? recent.value.total : null}
          isLowerBound={recent.ok && recent.value.isLowerBound === true}
          icon="inbox"
          tone="text-info-fg bg-info-bg"
        />
      )}
      {silentSlots.ok && silentSlots.value.total > 0 && (
        <Tile
          to={filtered('/apps/alerthub/receive-slots', silentSlots.value.filter)}
          label={t('watch.silent-slots')}
          number={silentSlots.value.total}
          icon="warning"
          tone="text-danger-fg bg-danger-bg"
        />
      )}
      {isPermitted(failed) && (
        <Tile
          to="#deliveries"
          label={t('page.failed-deliveries')}
          number={failed.ok ? failed.value : null}
          icon="close"
          tone="text-danger-fg bg-danger-bg"
        />
      )}
      {isPermitted(runningDeliveries) && (
        <Tile
          to="#deliveries"
          label={t('page.under-way')}
          number={runningDeliveries.ok ? runningDeliveries.value : null}
          icon="progress"
          tone="text-progress-fg bg-progress-bg"
        />
      )}
      {isPermitted(scans) && (
        <Tile
          to={filtered('/apps/devtool/tasks', scans.ok ? scans.value.filter : '')}
          label={t('page.running-scans')}
          number={scans.ok ? scans.value.total : null}
          icon="search"
          tone="text-progress-fg bg-progress-bg"
        />
      )}
      {isPermitted(sessions) && (
        <Tile
          to={filtered('/apps/greac/sessions', sessions.ok ? sessions.value.filter : '')}
          label={t('page.open-sessions')}
          number={sessions.ok ? sessions.value.total : null}
          icon="terminal"
          tone="text-progress-fg bg-progress-bg"
        />
      )}
      {isPermitted(calls) && (
        <Tile
          to={filtered('/apps/pigeon/results', calls.ok ? calls.value.filter : '')}
          label={t('page.running-calls')}
          number={calls.ok ? calls.value.total : null}
          icon="phone"
          tone="text-progress-fg bg-progress-bg"
        />
      )}
    </ul>
  );
}

/** A forbidden count has no tile; a failed one has a tile without a number. */
function isPermitted(part: SectionResult<unknown>): boolean {
  return part.ok || part.reason !== 'forbidden';
}

/** Tile with a count; gray if it is 0 or unknown. */
function Tile(props: {
  to: string;
  label: string;
  number: number | null;
  /** Whether the number is a lower bound. */
  isLowerBound?: boolean;
  icon: IconName;
  tone: string;
}) {
  const quiet = !props.number;
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
            quiet ? 'bg-neutral-bg text-neutral-fg' : props.tone,
          )}
        >
          <Icon name={props.icon} />
        </span>
        <span className="min-w-0">
          <span
            className={classNames(
              'block text-xl font-semibold tabular-nums',
              quiet ? 'text-muted' : 'text-text',
            )}
          >
            {props.number === null ? '–' : formatWholeNumber(props.number)}
            {props.isLowerBound && '+'}
          </span>
          <span className="block text-xs text-muted [word-break:auto-phrase]">{props.label}</span>
        </span>
      </Link>
    </li>
  );
}
