// Shows a severity on a scale with three threshold zones and a marker, and as text.
import { useTranslation } from '../../ui/translation.tsx';

/** End of the scale as a multiple of the incident threshold. */
const scaleHeadroom = 1.5;
const width = 400;

export function ThresholdScale(props: {
  severity: number;
  thresholds: { warning: number; incident: number };
}) {
  const { t } = useTranslation();
  const { severity, thresholds } = props;
  const end = Math.max(thresholds.incident * scaleHeadroom, 3);
  const xOf = (value: number) => Math.min(1, value / end) * width;
  const warning = xOf(thresholds.warning);
  const incident = xOf(thresholds.incident);
  const mark = Math.max(4, Math.min(width - 4, xOf(severity)));
  const description = t('alerthub.threshold-scale', { value: severity, ...thresholds });
  return (
    <figure className="grid max-w-xl gap-1">
      <svg
        viewBox={`0 0 ${width} 20`}
        className="h-5 w-full"
        role="img"
        aria-label={description}
        preserveAspectRatio="none"
      >
        <title>{description}</title>
        <rect x={0} y={7} width={warning} height={6} className="fill-success-fg/35" />
        <rect
          x={warning}
          y={7}
          width={Math.max(0, incident - warning)}
          height={6}
          className="fill-warning-fg/45"
        />
        <rect x={incident} y={7} width={width - incident} height={6} className="fill-danger-fg/45" />
        <rect x={mark - 2} y={1} width={4} height={18} rx={2} className="fill-text" />
      </svg>
      <figcaption className="text-sm">{description}</figcaption>
    </figure>
  );
}
