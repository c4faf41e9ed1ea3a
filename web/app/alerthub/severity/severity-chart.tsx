// Step chart of severity with a scope's thresholds, and the same data as a table.
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useTranslation } from '../../ui/translation.tsx';

interface Thresholds {
  warning: number;
  incident: number;
}

/** Chart size in SVG units. */
export const chartWidth = 640;
const height = 160;

/** One line from left to right; each value holds until the next step, the last one until `to`. */
export interface ChartLine {
  steps: readonly { x: number; value: number }[];
  to?: number;
  variant: string;
  dashedLineText?: string;
}

export function SeverityChart(props: {
  caption: string;
  thresholds: Thresholds;
  lines: readonly ChartLine[];
  dashedLineText: string;
}) {
  const { caption, thresholds, lines } = props;
  const values = lines.flatMap(({ steps }) => steps.map(({ value }) => value));
  const top = Math.max(thresholds.incident, ...values) * 1.1 || 1;
  const y = (severity: number) => height - (severity / top) * height;
  const path = ({ steps, to }: ChartLine) =>
    steps
      .map(({ x, value }, index) => (index === 0 ? `M0 ${y(value)}` : `H${x}V${y(value)}`))
      .join('')
      .concat(to === undefined ? '' : `H${to}`);
  return (
    <svg
      role="img"
      aria-label={caption}
      viewBox={`0 0 ${chartWidth} ${height}`}
      preserveAspectRatio="none"
      className="h-40 w-full rounded-md border border-line bg-surface"
    >
      <title>{caption}</title>
      {(['warning', 'incident'] as const).map((name) => (
        <line
          key={name}
          x1={0}
          x2={chartWidth}
          y1={y(thresholds[name])}
          y2={y(thresholds[name])}
          strokeDasharray={props.dashedLineText}
          vectorEffect="non-scaling-stroke"
          className={name === 'warning' ? 'stroke-warning-fg' : 'stroke-danger-fg'}
        />
      ))}
      {lines.map((line) => (
        <path
          key={line.variant}
          d={path(line)}
          fill="none"
          strokeWidth={2}
          strokeDasharray={line.dashedLineText}
          vectorEffect="non-scaling-stroke"
          className={line.variant}
        />
      ))}
    </svg>
  );
}

/** Legend of the threshold lines. */
export function ThresholdLegend({ thresholds }: { thresholds: Thresholds }) {
  const { choiceLabel } = useTranslation();
  return (
    <>
      <span className="text-warning-fg">
        {choiceLabel('warning')}: {thresholds.warning}
      </span>
      <span className="text-danger-fg">
        {choiceLabel('incident')}: {thresholds.incident}
      </span>
    </>
  );
}

/** Collapsible table with the chart's data; all columns but the first are numeric. */
export function ChartTable(props: {
  caption: string;
  columnHeaders: readonly string[];
  rows: readonly { key: string; header: ReactNode; values: readonly number[] }[];
}) {
  const { t } = useTranslation();
  const [first, ...rest] = props.columnHeaders;
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-6 rounded-sm text-muted hover:text-text">
        {t('ui.as-table')}
      </summary>
      <table className="mt-1 text-sm">
        <caption className="sr-only">{props.caption}</caption>
        <thead>
          <tr className="text-left text-xs text-muted">
            <th scope="col" className="pr-6 font-medium">
              {first}
            </th>
            {rest.map((header, index) => (
              <th
                key={header}
                scope="col"
                className={classNames('text-right font-medium', index < rest.length - 1 && 'pr-6')}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map(({ key, header, values }) => (
            <tr key={key}>
              <th scope="row" className="pr-6 text-left font-normal tabular-nums">
                {header}
              </th>
              {values.map((value, index) => (
                <td
                  key={rest[index]}
                  className={classNames('text-right tabular-nums', index < values.length - 1 && 'pr-6')}
                >
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
