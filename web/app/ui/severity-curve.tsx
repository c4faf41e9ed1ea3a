// A severity over time as steps between its thresholds, and the same as a table.
import { formatDateTime } from '@yagura/core/format/date-time';
import { useWords } from './words.tsx';

export interface CurvePoint {
  /** ISO 8601. */
  at: string;
  value: number;
}

const width = 640;
const height = 160;

/** `points` in order of time; a value holds until the next one. */
export function SeverityCurve(props: {
  points: readonly CurvePoint[];
  thresholds: { warning: number; incident: number };
  caption: string;
}) {
  const { t, value, label, language, timeZone } = useWords();
  const { points, thresholds } = props;
  const moments = points.map(({ at }) => Date.parse(at));
  const from = moments[0] ?? 0;
  const span = Math.max(1, (moments.at(-1) ?? 0) - from);
  const top = Math.max(thresholds.incident, ...points.map((point) => point.value)) * 1.1 || 1;
  const x = (moment: number) => ((moment - from) / span) * width;
  const y = (severity: number) => height - (severity / top) * height;
  const path = points
    .map((point, at) => (at === 0 ? `M0 ${y(point.value)}` : `H${x(moments[at]!)}V${y(point.value)}`))
    .join('');
  return (
    <figure className="grid grid-cols-1 gap-2">
      <svg
        role="img"
        aria-label={props.caption}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-40 w-full rounded-md border border-line bg-surface"
      >
        <title>{props.caption}</title>
        {(['warning', 'incident'] as const).map((name) => (
          <line
            key={name}
            x1={0}
            x2={width}
            y1={y(thresholds[name])}
            y2={y(thresholds[name])}
            strokeDasharray="6 4"
            vectorEffect="non-scaling-stroke"
            className={name === 'warning' ? 'stroke-warning-fg' : 'stroke-danger-fg'}
          />
        ))}
        <path
          d={path}
          fill="none"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
          className="stroke-primary"
        />
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-muted">
        <span className="text-warning-fg">
          {value('warning')}: {thresholds.warning}
        </span>
        <span className="text-danger-fg">
          {value('incident')}: {thresholds.incident}
        </span>
      </figcaption>
      <details className="text-sm">
        <summary className="inline-flex min-h-6 rounded-sm text-muted hover:text-text">
          {t('ui.as-table')}
        </summary>
        <table className="mt-1 text-sm">
          <caption className="sr-only">{props.caption}</caption>
          <thead>
            <tr className="text-left text-xs text-muted">
              <th scope="col" className="pr-6 font-medium">
                {label('createdAt')}
              </th>
              <th scope="col" className="font-medium">
                {label('severity')}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.at}>
                <td className="pr-6 tabular-nums">{formatDateTime(point.at, { language, timeZone })}</td>
                <td className="tabular-nums">{point.value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
