// The row of numbers at the top of home.
import { Link } from '@remix-run/react';
import type { Status } from '@yagura/core/alerthub/severity-name';
import { classes } from '../ui/classes.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useWords } from '../ui/words.tsx';
import type { Part } from './home-data.server.ts';

const looks: Record<Status, { icon: IconName; tone: string }> = {
  incident: { icon: 'error', tone: 'text-danger-fg bg-danger-bg' },
  warning: { icon: 'warning', tone: 'text-warning-fg bg-warning-bg' },
  normal: { icon: 'success', tone: 'text-success-fg bg-success-bg' },
};
const order: Status[] = ['incident', 'warning', 'normal'];

export function StatusTiles(props: {
  counts: Part<Record<Status, number>>;
  recent: Part<{ total: number; filter: string }>;
  failed: Part<number>;
  underWay: Part<number>;
}) {
  const { t, value } = useWords();
  const { counts, recent, failed, underWay } = props;
  const filtered = (path: string, filter: string) => `${path}?${new URLSearchParams({ filter })}`;
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
      {order.map((status) => (
        <Tile
          key={status}
          to={filtered('/apps/alerthub/scopes', `status eq "${status}"`)}
          label={t('page.scopes-of', { status: value(status) })}
          number={counts.ok ? counts.value[status] : null}
          icon={looks[status].icon}
          tone={looks[status].tone}
        />
      ))}
      <Tile
        to={filtered('/apps/alerthub/messages', recent.ok ? recent.value.filter : '')}
        label={t('page.recent-messages')}
        number={recent.ok ? recent.value.total : null}
        icon="inbox"
        tone="text-info-fg bg-info-bg"
      />
      <Tile
        to="#deliveries"
        label={t('page.failed-deliveries')}
        number={failed.ok ? failed.value : null}
        icon="close"
        tone="text-danger-fg bg-danger-bg"
      />
      <Tile
        to="#deliveries"
        label={t('page.under-way')}
        number={underWay.ok ? underWay.value : null}
        icon="progress"
        tone="text-progress-fg bg-progress-bg"
      />
    </ul>
  );
}

/** A number; nothing to see is calm and grey, whatever it counts. */
function Tile(props: { to: string; label: string; number: number | null; icon: IconName; tone: string }) {
  const { language } = useWords();
  const quiet = !props.number;
  return (
    <li>
      <Link
        to={props.to}
        prefetch="intent"
        className="flex h-full items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2.5 no-underline shadow-raised hover:border-line-strong"
      >
        <span
          className={classes(
            'grid size-8 shrink-0 place-items-center rounded-md',
            quiet ? 'bg-neutral-bg text-neutral-fg' : props.tone,
          )}
        >
          <Icon name={props.icon} />
        </span>
        <span className="min-w-0">
          <span
            className={classes(
              'block text-xl font-semibold tabular-nums',
              quiet ? 'text-muted' : 'text-text',
            )}
          >
            {props.number === null ? '–' : props.number.toLocaleString(language)}
          </span>
          <span className="block text-xs text-muted">{props.label}</span>
        </span>
      </Link>
    </li>
  );
}
