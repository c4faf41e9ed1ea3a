// Replay result: how the changed settings would have handled past messages, as counts, severity curves and
// individual differences.
import { Link } from '@remix-run/react';
import type { ReplayReport } from '@yagura/core/alerthub/replay';
import { formatDateTime } from '@yagura/core/format/date-time';
import { classNames } from '../../ui/class-names.ts';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ReplayChart } from './replay-chart.tsx';

const changeKinds = ['same', 'added', 'lost', 'moved'] as const;
const kindClasses = {
  added: 'text-success-fg',
  lost: 'text-danger-fg',
  moved: 'text-warning-fg',
  same: '',
} as const;

export function ReplayResult({ answer }: { answer: ReplayReport }) {
  const { t, language, timeZone } = useTranslation();
  const when = (at: string) => formatDateTime(at, { language, timeZone });
  const number = (count: number) => count.toLocaleString(language);
  const { added, lost, moved } = answer.events;
  const nothing =
    added + lost + moved + answer.actions.added + answer.actions.lost + answer.actions.moved === 0;
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="text-sm">
        {t('replay.read', {
          count: number(answer.messages),
          since: when(answer.since),
          until: when(answer.until),
          seconds: answer.seconds.toLocaleString(language),
        })}{' '}
        {!answer.whole && <strong>{t('replay.cut')}</strong>}{' '}
        {nothing && <strong>{t('replay.nothing')}</strong>}
      </p>
      <table className="w-full max-w-lg text-sm">
        <caption className="sr-only">{t('replay.title')}</caption>
        <thead>
          <tr className="text-right text-xs text-muted">
            <td />
            {changeKinds.map((kind) => (
              <th key={kind} scope="col" className="py-1 pl-4 font-medium">
                {t(`replay.${kind}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(['events', 'actions'] as const).map((row) => (
            <tr key={row} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                {t(`replay.${row}`)}
              </th>
              {changeKinds.map((kind) => (
                <td
                  key={kind}
                  className={`pl-4 text-right font-medium tabular-nums ${answer[row][kind] > 0 ? kindClasses[kind] : ''}`}
                >
                  {number(answer[row][kind])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {answer.curves.filter(hasChanged).map((curve) => (
        <ReplayChart key={curve.scopeId} curve={curve} />
      ))}
      <Differences answer={answer} />
    </div>
  );
}

const cellClass = 'labeled-cell px-2';
const numberClass = 'tabular-nums sm:whitespace-nowrap';

function Differences({ answer }: { answer: ReplayReport }) {
  const { t, fieldLabel, choiceLabel, language } = useTranslation();
  const { differences } = answer;
  if (differences.length === 0) return null;
  const names = new Map([
    ...answer.curves.map(({ scopeId, scopeName }) => [scopeId, scopeName] as const),
    ...(answer.createdScopes ?? []).map(({ scopeId, displayName }) => [scopeId, displayName] as const),
  ]);
  const total = answer.events.added + answer.events.lost + answer.events.moved;
  const heads = [
    t('replay.kind'),
    fieldLabel('date'),
    fieldLabel('scopeId'),
    fieldLabel('severityName'),
    t('replay.before'),
    t('replay.after'),
  ];
  const side = (one: (typeof differences)[number]['before']) =>
    one ? `${one.previousSeverity} → ${one.severity} (${choiceLabel(one.status)})` : '—';
  return (
    <section className="grid gap-1">
      <h3 className="text-sm font-medium">
        {t('replay.differences')}{' '}
        {total > differences.length && (
          <span className="font-normal text-muted">
            {t('replay.first', { count: differences.length, total: total.toLocaleString(language) })}
          </span>
        )}
      </h3>
      <section
        aria-label={t('replay.differences')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-md border border-line"
      >
        <table className="w-full text-sm max-sm:block">
          <thead className="sticky top-0 bg-surface max-sm:hidden">
            <tr className="text-left text-xs text-muted">
              {heads.map((head) => (
                <th key={head} scope="col" className="px-2 py-1 font-medium whitespace-nowrap">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {differences.map((one, index) => (
              <tr
                key={index}
                className="border-t border-line max-sm:block max-sm:py-1.5 max-sm:first:border-t-0"
              >
                <td
                  data-label={heads[0]}
                  className={classNames(cellClass, 'py-1 whitespace-nowrap', kindClasses[one.kind])}
                >
                  {t(`replay.${one.kind}`)}
                </td>
                <td data-label={heads[1]} className={cellClass}>
                  {one.messageId ? (
                    <Link
                      to={`/apps/alerthub/messages/${one.messageId}`}
                      target="_blank"
                      className="text-primary"
                    >
                      <Time value={one.at} />
                    </Link>
                  ) : (
                    <Time value={one.at} />
                  )}
                </td>
                <td data-label={heads[2]} className={cellClass}>
                  {names.get(one.scopeId) ?? one.scopeId}
                </td>
                <td data-label={heads[3]} className={cellClass}>
                  {one.severityName}
                </td>
                <td data-label={heads[4]} className={classNames(cellClass, numberClass)}>
                  {side(one.before)}
                </td>
                <td data-label={heads[5]} className={classNames(cellClass, numberClass)}>
                  {side(one.after)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** An unchanged curve adds nothing to the counts. */
function hasChanged({ points }: ReplayReport['curves'][number]): boolean {
  return points.some(({ before, after }) => before !== after);
}
