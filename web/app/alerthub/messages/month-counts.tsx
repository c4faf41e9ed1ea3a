// Monthly message counts, newest first, with a bar for each month.

import type { MonthCount } from '@yagura/core/alerthub/message-count';
import { formatMonth } from '@yagura/core/format/date-time';
import { useTranslation } from '../../ui/translation.tsx';

export function MonthCounts({ months }: { months: readonly MonthCount[] }) {
  const { t, fieldLabel, language } = useTranslation();
  const largest = Math.max(1, ...months.map(({ received }) => received));
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">{t('count.per-month')}</caption>
      <thead>
        <tr className="text-left text-xs text-muted">
          <th scope="col" className="py-1 pr-4 font-medium">
            {fieldLabel('month')}
          </th>
          <th scope="col" className="pr-4 text-right font-medium whitespace-nowrap">
            {fieldLabel('received')}
          </th>
          <th scope="col" className="pr-4 text-right font-medium whitespace-nowrap">
            {fieldLabel('matched')}
          </th>
          <td className="w-1/2" />
        </tr>
      </thead>
      <tbody>
        {[...months].reverse().map(({ month, received, matched }) => (
          <tr key={month} className="border-t border-line">
            <th scope="row" className="py-1 pr-4 text-left font-normal whitespace-nowrap">
              {formatMonth(month, language)}
            </th>
            <td className="pr-4 text-right tabular-nums">{received.toLocaleString(language)}</td>
            <td className="pr-4 text-right tabular-nums">{matched.toLocaleString(language)}</td>
            <td aria-hidden="true">
              <div
                className="h-2.5 rounded-sm bg-grass-2"
                style={{ width: `${(received / largest) * 100}%` }}
              >
                <div
                  className="h-2.5 rounded-sm bg-grass-4"
                  style={{ width: `${received === 0 ? 0 : (matched / received) * 100}%` }}
                />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
