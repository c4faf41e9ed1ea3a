// Grid of daily counts by week with levels 0 to 4. It is a table: every cell has its date and count as text.
import { Link } from '@remix-run/react';
import { formatDay } from '@yagura/core/format/date-time';
import { formatWholeNumber } from '@yagura/core/format/whole-number';
import { weekDays } from '@yagura/core/time/week-day';
import { useEffect, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { useTranslation } from '../translation.tsx';
import { type DayCount, groupByWeek, levelOf } from './contribution-levels.ts';

const levelClasses = [
  'bg-surface-sunken border border-line',
  'bg-grass-1',
  'bg-grass-2',
  'bg-grass-3',
  'bg-grass-4',
] as const;

/** `days` are consecutive; `hrefOf` returns the link of a day. */
export function ContributionGrid(props: {
  days: readonly DayCount[];
  caption: string;
  hrefOf?: (date: string) => string;
}) {
  const { t, language } = useTranslation();
  const largest = Math.max(0, ...props.days.map(({ count }) => count));
  const weeks = groupByWeek(props.days);
  const textOf = ({ date, count }: DayCount) => `${formatDay(date, language)}: ${formatWholeNumber(count)}`;
  const box = useRef<HTMLDivElement>(null);
  // If not all weeks fit, scroll to the latest.
  useEffect(() => {
    box.current!.scrollLeft = box.current!.scrollWidth;
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and the panel around it is the landmark of that name
    <div
      role="group"
      aria-label={props.caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
      tabIndex={0}
      ref={box}
      // Positioned, so that screen-reader-only text inside does not overflow.
      className="relative overflow-x-auto"
    >
      <table className="border-separate border-spacing-0.5">
        <caption className="sr-only">{props.caption}</caption>
        <tbody>
          {weekDays.map((day, row) => (
            <tr key={day}>
              <th
                scope="row"
                className="sticky left-0 z-1 bg-surface pr-2 text-left text-xs font-normal whitespace-nowrap text-muted"
              >
                <span className="sr-only">{t(`schedule.day.${day}`)}</span>
                <span aria-hidden="true" className={row % 2 === 0 ? '' : 'invisible'}>
                  {t(`schedule.dayShort.${day}`)}
                </span>
              </th>
              {weeks.map((week, column) => {
                const cell = week[row];
                if (!cell) return <td key={weeks[column]!.find(Boolean)?.date} />;
                const cellClass = classNames(
                  'block size-6 rounded-sm',
                  levelClasses[levelOf(cell.count, largest)],
                );
                return (
                  <td key={cell.date} title={textOf(cell)} className="p-0">
                    {props.hrefOf && cell.count > 0 ? (
                      <Link to={props.hrefOf(cell.date)} data-colour="" className={cellClass}>
                        <span className="sr-only">{textOf(cell)}</span>
                      </Link>
                    ) : (
                      <span data-colour="" className={cellClass}>
                        <span className="sr-only">{textOf(cell)}</span>
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
