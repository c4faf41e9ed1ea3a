// Chart and table of a scope's past severity under the current and the changed settings.
import type { ReplayReport } from '@yagura/core/alerthub/replay';
import { formatDateTime } from '@yagura/core/format/date-time';
import { useTranslation } from '../../ui/translation.tsx';
import { ChartTable, chartWidth, SeverityChart, ThresholdLegend } from '../severity/severity-chart.tsx';

export function ReplayChart({ curve }: { curve: ReplayReport['curves'][number] }) {
  const { t, fieldLabel, language, timeZone } = useTranslation();
  const { points, thresholds } = curve;
  const caption = t('replay.curve', { scope: curve.scopeName ?? curve.scopeId });
  const steps = (side: 'before' | 'after') =>
    points.map((point, index) => ({
      x: (index / Math.max(1, points.length)) * chartWidth,
      value: point[side],
    }));
  // Only rows in which a value changes.
  const rows = points.filter(
    (point, index) =>
      index === 0 || point.before !== points[index - 1]!.before || point.after !== points[index - 1]!.after,
  );
  return (
    <figure className="grid grid-cols-1 gap-1.5">
      <figcaption className="text-sm font-medium">{caption}</figcaption>
      <SeverityChart
        caption={caption}
        thresholds={thresholds}
        dashedLineText="2 5"
        lines={[
          { steps: steps('before'), to: chartWidth, variant: 'stroke-muted', dashedLineText: '7 4' },
          { steps: steps('after'), to: chartWidth, variant: 'stroke-primary' },
        ]}
      />
      <p className="flex flex-wrap gap-x-4 text-xs text-muted">
        <span>- - {t('replay.before')}</span>
        <span className="text-primary">— {t('replay.after')}</span>
        <ThresholdLegend thresholds={thresholds} />
      </p>
      <ChartTable
        caption={caption}
        columnHeaders={[fieldLabel('date'), t('replay.before'), t('replay.after')]}
        rows={rows.map(({ at, before, after }) => ({
          key: at,
          header: formatDateTime(at, { language, timeZone }),
          values: [before, after],
        }))}
      />
    </figure>
  );
}
