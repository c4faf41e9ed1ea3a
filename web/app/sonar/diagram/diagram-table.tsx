// The same as the drawing, in words: each thing with its kind, state and what it is connected with.
import { Link } from '@remix-run/react';
import { memo, useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useWords } from '../../ui/words.tsx';
import type { Thing, Way } from './drawing.ts';
import { stateTones } from './state-tones.ts';

const first = 50;
const mostNamed = 4;

export const DiagramTable = memo(function DiagramTable(props: {
  things: readonly Thing[];
  ways: readonly Way[];
  byId: ReadonlyMap<string, Thing>;
  found: ReadonlySet<string> | null;
  name: string;
}) {
  const { t, label } = useWords();
  const { byId, found } = props;
  const [all, setAll] = useState(false);
  const things = found ? props.things.filter(({ id }) => found.has(id)) : props.things;
  const shown = all ? things : things.slice(0, first);
  const near = useMemo(() => nearOf(props.ways), [props.ways]);
  return (
    <section
      aria-label={t('diagram.table')}
      className="rounded-lg border border-line bg-surface shadow-raised"
    >
      <h2 className="px-4 py-2 font-semibold">{t('diagram.table')}</h2>
      <div className="overflow-x-auto border-t border-line">
        <table className="w-full text-sm">
          <caption className="sr-only">{props.name}</caption>
          <thead>
            <tr className="border-b border-line text-left text-xs text-muted">
              {[
                label('displayName'),
                label('type'),
                label('addr'),
                label('state'),
                t('diagram.connected-to'),
              ].map((title) => (
                <th key={title} scope="col" className="px-3 py-1.5 font-medium whitespace-nowrap first:pl-4">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((thing) => (
              <tr key={thing.id} className="border-b border-line last:border-0">
                <th scope="row" className="py-1.5 pr-3 pl-4 text-left font-normal break-words">
                  {thing.href ? (
                    <Link to={thing.href} className="text-primary hover:underline">
                      {thing.name}
                    </Link>
                  ) : (
                    thing.name
                  )}
                </th>
                <td className="px-3 py-1.5 whitespace-nowrap">{t(`diagram.type.${thing.type}`)}</td>
                <td className="px-3 py-1.5 whitespace-nowrap tabular-nums">
                  {thing.isSubnet ? t('diagram.nodes', { count: Number(thing.note) }) : thing.note}
                </td>
                <td className="px-3 py-1.5">
                  {thing.state && (
                    <StatusBadge value={thing.state} tones={stateTones} options={Object.keys(stateTones)} />
                  )}
                </td>
                <td className="min-w-64 px-3 py-1.5">
                  {(near.get(thing.id) ?? [])
                    .slice(0, mostNamed)
                    .map(({ other, way }) => {
                      const name = byId.get(other)?.name ?? other;
                      return way.label ? `${name} (${way.label})` : name;
                    })
                    .join(', ')}
                  {(near.get(thing.id)?.length ?? 0) > mostNamed && ` … (${near.get(thing.id)!.length})`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < things.length && (
        <div className="border-t border-line px-4 py-2 print:hidden">
          <Button size="small" onClick={() => setAll(true)}>
            {t('diagram.show-all', { count: things.length })}
          </Button>
        </div>
      )}
    </section>
  );
});

/** The ways of each thing, with its other end. */
function nearOf(ways: readonly Way[]): Map<string, { other: string; way: Way }[]> {
  const near = new Map<string, { other: string; way: Way }[]>();
  const add = (id: string, other: string, way: Way) => {
    const list = near.get(id) ?? [];
    list.push({ other, way });
    near.set(id, list);
  };
  for (const way of ways) {
    add(way.from, way.to, way);
    add(way.to, way.from, way);
  }
  return near;
}
