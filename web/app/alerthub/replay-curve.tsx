// The severity of a scope over the past by the present and by the changed settings, and the same as a table.

import type { ReplayAnswer } from '@yagura/core/alerthub/replay';
import { formatDateTime } from '@yagura/core/format/date-time';
import { useWords } from '../ui/words.tsx';

const width = 640;
const height = 160;

export function ReplayCurve({ curve }: { curve: ReplayAnswer['curves'][number] }) {
  const { t, value, label, language, timeZone } = useWords();
  const { points, thresholds } = curve;
  const caption = t('replay.curve', { scope: curve.scopeName ?? curve.scopeId });
  const top = Math.max(thresholds.incident, ...points.flatMap(({ before, after }) => [before, after])) * 1.1;
  const x = (place: number) => (place / Math.max(1, points.length)) * width;
  const y = (severity: number) => height - (severity / top) * height;
  const path = (side: 'before' | 'after') =>
    `${points
      .map((point, place) => (place === 0 ? `M0 ${y(point[side])}` : `H${x(place)}V${y(point[side])}`))
      .join('')}H${width}`;
  // Rows in which nothing changes say nothing.
  const rows = points.filter(
    (point, place) =>
      place === 0 || point.before !== points[place - 1]!.before || point.after !== points[place - 1]!.after,
  );
  return (
    <figure className="grid grid-cols-1 gap-1.5">
      <figcaption className="text-sm font-medium">{caption}</figcaption>
      <svg
        role="img"
        aria-label={caption}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-40 w-full rounded-md border border-line bg-surface"
      >
        <title>{caption}</title>
        {(['warning', 'incident'] as const).map((name) => (
          <line
            key={name}
            x1={0}
            x2={width}
            y1={y(thresholds[name])}
            y2={y(thresholds[name])}
            strokeDasharray="2 5"
            vectorEffect="non-scaling-stroke"
            className={name === 'warning' ? 'stroke-warning-fg' : 'stroke-danger-fg'}
          />
        ))}
        <path
          d={path('before')}
          fill="none"
          strokeWidth={2}
          strokeDasharray="7 4"
          vectorEffect="non-scaling-stroke"
          className="stroke-muted"
        />
        <path
          d={path('after')}
          fill="none"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
          className="stroke-primary"
        />
      </svg>
      <p className="flex flex-wrap gap-x-4 text-xs text-muted">
        <span>- - {t('replay.before')}</span>
        <span className="text-primary">— {t('replay.after')}</span>
        <span className="text-warning-fg">
          {value('warning')}: {thresholds.warning}
        </span>
        <span className="text-danger-fg">
          {value('incident')}: {thresholds.incident}
        </span>
      </p>
      <details className="text-sm">
        <summary className="inline-flex min-h-6 rounded-sm text-muted hover:text-text">
          {t('ui.as-table')}
        </summary>
        <table className="mt-1 text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="text-left text-xs text-muted">
              <th scope="col" className="pr-6 font-medium">
                {label('date')}
              </th>
              <th scope="col" className="pr-6 text-right font-medium">
                {t('replay.before')}
              </th>
              <th scope="col" className="text-right font-medium">
                {t('replay.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ at, before, after }) => (
              <tr key={at}>
                <th scope="row" className="pr-6 text-left font-normal tabular-nums">
                  {formatDateTime(at, { language, timeZone })}
                </th>
                <td className="pr-6 text-right tabular-nums">{before}</td>
                <td className="text-right tabular-nums">{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
