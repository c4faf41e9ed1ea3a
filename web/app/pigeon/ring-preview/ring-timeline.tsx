// Who rings when, as a picture and as a table with the same content.
import { formatElapsed } from '@yagura/core/pigeon/call-script';
import { previewEnd, previewOutcome } from '@yagura/core/pigeon/preview-texts';
import type { PreviewCall, RingPreview } from '@yagura/core/pigeon/ring-preview';
import { ProblemAlert } from '../../ui/form/problem-alert.tsx';
import { useTranslation } from '../../ui/translation.tsx';

/** Calls drawn; the table has all of them. */
const maxDrawn = 60;
const rowHeight = 20;
const labelWidth = 130;
const chartWidth = 560;
const axisHeight = 22;
/** Distances of the marks on the time axis in seconds; the first with at most ten marks is used. */
const tickSteps = [5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400];

export function RingTimeline({ preview }: { preview: RingPreview }) {
  const { t } = useTranslation();
  const { calls } = preview;
  return (
    <>
      {preview.rejection !== null && <ProblemAlert text={preview.rejection} errors={{}} />}
      <p className="text-sm font-medium">{previewEnd(preview, t)}</p>
      {calls.length > 0 && <Picture calls={calls.slice(0, maxDrawn)} />}
      <section
        aria-label={t('pigeon.ring-preview.table')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        tabIndex={0}
        className="max-h-96 overflow-auto"
      >
        <table className="w-full text-sm">
          <thead className="text-left text-xs text-muted">
            <tr>
              {(['time', 'contact', 'loop', 'outcome'] as const).map((column) => (
                <th key={column} scope="col" className="py-1 pr-3 font-medium whitespace-nowrap">
                  {t(`pigeon.ring-preview.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {calls.map((call, index) => (
              <tr key={index} className="border-t border-line align-top">
                <td className="py-1 pr-3 whitespace-nowrap tabular-nums">
                  {`${formatElapsed(call.startsAt)}–${formatElapsed(call.endsAt)}`}
                </td>
                <td className="py-1 pr-3">
                  {nameOf(call, t('pigeon.unnamed'))}
                  <span className="block text-xs whitespace-nowrap text-muted tabular-nums">
                    {call.phoneNumber}
                  </span>
                </td>
                <td className="py-1 pr-3 tabular-nums">{call.loop}</td>
                <td className="py-1">
                  {previewOutcome(call, t)}
                  {call.transfer && <span className="block text-xs text-muted">{t('pigeon.call-back')}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Picture({ calls }: { calls: readonly PreviewCall[] }) {
  const { t } = useTranslation();
  const end = Math.max(1, ...calls.map(({ endsAt }) => endsAt));
  const x = (seconds: number) => labelWidth + (seconds / end) * chartWidth;
  const height = calls.length * rowHeight;
  const step = tickSteps.find((size) => end / size <= 10) ?? end;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  return (
    <figure className="min-w-0">
      <section
        aria-label={t('pigeon.ring-preview.picture')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        tabIndex={0}
        className="relative max-h-96 overflow-auto"
      >
        <svg
          role="img"
          aria-label={t('pigeon.ring-preview.picture-text', { count: calls.length })}
          viewBox={`0 0 ${labelWidth + chartWidth + 30} ${height + axisHeight}`}
          className="w-full min-w-[560px] max-w-4xl"
        >
          {ticks.map((at) => (
            <g key={at}>
              <line x1={x(at)} x2={x(at)} y1={0} y2={height} className="stroke-line" />
              <text
                x={x(at)}
                y={height + 15}
                textAnchor="middle"
                className="fill-muted text-[11px] tabular-nums"
              >
                {formatElapsed(at)}
              </text>
            </g>
          ))}
          {calls.map((call, index) => (
            <g key={index} transform={`translate(0 ${index * rowHeight})`}>
              <text x={0} y={14} className="fill-text text-[12px]">
                {shorten(`${call.loop}: ${nameOf(call, t('pigeon.unnamed'))}`)}
              </text>
              <Bar
                from={x(call.startsAt)}
                to={x(call.ringsAt ?? call.endsAt)}
                variant="fill-line-strong/50"
              />
              {call.ringsAt !== null && (
                <Bar
                  from={x(call.ringsAt)}
                  to={x(call.answeredAt ?? call.endsAt)}
                  variant="fill-warning-fg"
                />
              )}
              {call.answeredAt !== null && (
                <Bar
                  from={x(call.answeredAt)}
                  to={x(call.endsAt)}
                  variant={call.status === 'succeeded' ? 'fill-success-fg' : 'fill-progress-fg'}
                />
              )}
            </g>
          ))}
        </svg>
      </section>
      <figcaption className="mt-1 flex flex-wrap gap-x-4 text-xs text-muted">
        {legend.map(([key, variant]) => (
          <span key={key} className="inline-flex items-center gap-1">
            <svg aria-hidden="true" width={12} height={10}>
              <rect width={12} height={10} rx={2} className={variant} />
            </svg>
            {t(`pigeon.ring-preview.${key}`)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

const legend = [
  ['dialing', 'fill-line-strong/50'],
  ['rings', 'fill-warning-fg'],
  ['talks', 'fill-progress-fg'],
  ['accepted', 'fill-success-fg'],
] as const;

function Bar({ from, to, variant }: { from: number; to: number; variant: string }) {
  return <rect x={from} y={4} width={Math.max(1, to - from)} height={12} rx={1} className={variant} />;
}

const nameOf = ({ contact }: PreviewCall, unnamed: string) => contact.displayName || unnamed;

/** Labels get no more room than the picture leaves them; wide characters take the space of two. */
function shorten(text: string): string {
  let room = 18;
  let short = '';
  for (const character of text) {
    room -= character.charCodeAt(0) > 0x2e7f ? 2 : 1;
    if (room < 0) return `${short}…`;
    short += character;
  }
  return short;
}
