// Chart and table of a severity over time with its thresholds.
import { formatDateTime } from '@yagura/core/format/date-time';
import { useTranslation } from '../../ui/translation.tsx';
import { ChartTable, chartWidth, SeverityChart, ThresholdLegend } from './severity-chart.tsx';

export interface SeverityPoint {
  /** ISO 8601. */
  at: string;
  value: number;
}

/** `points` in chronological order; a value holds until the next one. */
export function SeverityHistoryChart(props: {
  points: readonly SeverityPoint[];
  thresholds: { warning: number; incident: number };
  caption: string;
}) {
  const { fieldLabel, language, timeZone } = useTranslation();
  const { points, thresholds, caption } = props;
  const from = Date.parse(points[0]?.at ?? '') || 0;
  const span = Math.max(1, (Date.parse(points.at(-1)?.at ?? '') || 0) - from);
  const steps = points.map(({ at, value }) => ({
    x: ((Date.parse(at) - from) / span) * chartWidth,
    value,
  }));
  return (
    <figure className="grid grid-cols-1 gap-2">
      <SeverityChart
        caption={caption}
        thresholds={thresholds}
        dashedLineText="6 4"
        lines={[{ steps, variant: 'stroke-primary' }]}
      />
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-muted">
        <ThresholdLegend thresholds={thresholds} />
      </figcaption>
      <ChartTable
        caption={caption}
        columnHeaders={[fieldLabel('createdAt'), fieldLabel('severity')]}
        rows={points.map(({ at, value }) => ({
          key: at,
          header: formatDateTime(at, { language, timeZone }),
          values: [value],
        }))}
      />
    </figure>
  );
}
