// The severity of a scope over the past by the present and by the changed settings, and the same as a table.
import type { ReplayAnswer } from '@yagura/core/alerthub/replay';
import { formatDateTime } from '@yagura/core/format/date-time';
import { ChartTable, chartWidth, SeverityChart, ThresholdNames } from '../ui/severity-chart.tsx';
import { useTranslation } from '../ui/words.tsx';

export function ReplayCurve({ curve }: { curve: ReplayAnswer['curves'][number] }) {
  const { t, label, language, timeZone } = useTranslation();
  const { points, thresholds } = curve;
  const caption = t('replay.curve', { scope: curve.scopeName ?? curve.scopeId });
  const steps = (side: 'before' | 'after') =>
    points.map((point, place) => ({
      x: (place / Math.max(1, points.length)) * chartWidth,
      value: point[side],
    }));
  // Rows in which nothing changes say nothing.
  const rows = points.filter(
    (point, place) =>
      place === 0 || point.before !== points[place - 1]!.before || point.after !== points[place - 1]!.after,
  );
  return (
    <figure className="grid grid-cols-1 gap-1.5">
      <figcaption className="text-sm font-medium">{caption}</figcaption>
      <SeverityChart
        caption={caption}
        thresholds={thresholds}
        dashes="2 5"
        lines={[
          { steps: steps('before'), to: chartWidth, variant: 'stroke-muted', dashes: '7 4' },
          { steps: steps('after'), to: chartWidth, variant: 'stroke-primary' },
        ]}
      />
      <p className="flex flex-wrap gap-x-4 text-xs text-muted">
        <span>- - {t('replay.before')}</span>
        <span className="text-primary">— {t('replay.after')}</span>
        <ThresholdNames thresholds={thresholds} />
      </p>
      <ChartTable
        caption={caption}
        heads={[label('date'), t('replay.before'), t('replay.after')]}
        rows={rows.map(({ at, before, after }) => ({
          key: at,
          head: formatDateTime(at, { language, timeZone }),
          values: [before, after],
        }))}
      />
    </figure>
  );
}
