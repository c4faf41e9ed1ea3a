// Text alternative of the diagram: each node with its type, state and connections.

import { Link } from '@remix-run/react';
import { dataKey } from '@yagura/core/i18n/message-key';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { StatusBadge } from '../../ui/text/status-badge.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { useIsPrinting } from '../../ui/use-is-printing.ts';
import type { DiagramEdge, DiagramNode } from './diagram-layout.ts';
import { stateTones } from './state-tones.ts';

const initialRows = 50;
const maxNamedNeighbors = 4;

export const DiagramTable = memo(function DiagramTable(props: {
  nodes: readonly DiagramNode[];
  edges: readonly DiagramEdge[];
  byId: ReadonlyMap<string, DiagramNode>;
  found: ReadonlySet<string> | null;
  name: string;
}) {
  const { t, fieldLabel } = useTranslation();
  const { byId, found } = props;
  const { all, showAll, firstNew } = useShowAll<HTMLTableCellElement>();
  const isPrinting = useIsPrinting();
  const nodes = found ? props.nodes.filter(({ id }) => found.has(id)) : props.nodes;
  const shown = all || isPrinting ? nodes : nodes.slice(0, initialRows);
  const near = useMemo(() => neighborsById(props.edges), [props.edges]);
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
                fieldLabel('displayName'),
                fieldLabel('type'),
                fieldLabel('addr'),
                fieldLabel('state'),
                t('diagram.connected-to'),
              ].map((title) => (
                <th key={title} scope="col" className="px-3 py-1.5 font-medium whitespace-nowrap first:pl-4">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((node, index) => (
              <tr key={node.id} className="border-b border-line last:border-0">
                <th
                  ref={index === initialRows ? firstNew : undefined}
                  tabIndex={index === initialRows ? -1 : undefined}
                  scope="row"
                  className="py-1.5 pr-3 pl-4 text-left font-normal break-words"
                >
                  {node.href ? (
                    <Link to={node.href} className="text-primary hover:underline">
                      {node.name}
                    </Link>
                  ) : (
                    node.name
                  )}
                </th>
                <td className="px-3 py-1.5 whitespace-nowrap">{t(dataKey(`diagram.type.${node.type}`))}</td>
                <td className="px-3 py-1.5 whitespace-nowrap tabular-nums">
                  {node.isSubnet ? t('diagram.nodes', { count: Number(node.note) }) : node.note}
                </td>
                <td className="px-3 py-1.5">
                  {node.state && (
                    <StatusBadge value={node.state} tones={stateTones} options={Object.keys(stateTones)} />
                  )}
                </td>
                <td className="min-w-64 px-3 py-1.5">
                  <Connections
                    name={node.name}
                    edges={near.get(node.id) ?? []}
                    byId={byId}
                    isPrinting={isPrinting}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < nodes.length && (
        <div className="border-t border-line px-4 py-2">
          <Button size="small" onClick={showAll}>
            {t('diagram.show-all', { count: nodes.length })}
          </Button>
        </div>
      )}
    </section>
  );
});

/** The devices that a node is connected to; the first ones until the user wants all or prints the page. */
function Connections(props: {
  name: string;
  edges: readonly { other: string; edge: DiagramEdge }[];
  byId: ReadonlyMap<string, DiagramNode>;
  isPrinting: boolean;
}) {
  const { t } = useTranslation();
  const { all, showAll, firstNew } = useShowAll<HTMLSpanElement>();
  const shown = all || props.isPrinting ? props.edges : props.edges.slice(0, maxNamedNeighbors);
  const texts = shown.map(({ other, edge }) => {
    const name = props.byId.get(other)?.name ?? other;
    // The diagram draws the others as a plain line.
    const evidence = edge.evidence === 'measured' ? '' : t(`diagram.evidence.${edge.evidence}`);
    const details = [edge.label, evidence].filter(Boolean).join(' · ');
    return details ? `${name} (${details})` : name;
  });
  return (
    <>
      <span ref={firstNew} tabIndex={-1}>
        {texts.join(', ')}
      </span>
      {shown.length < props.edges.length && (
        <>
          {' … '}
          <Button
            size="small"
            variant="quiet"
            aria-label={`${t('diagram.show-all', { count: props.edges.length })}: ${props.name}`}
            onClick={showAll}
          >
            {t('diagram.show-all', { count: props.edges.length })}
          </Button>
        </>
      )}
    </>
  );
}

/** For a button that disappears once it has been used: what it has shown gets the focus. */
function useShowAll<E extends HTMLElement>() {
  const [all, setAll] = useState(false);
  const firstNew = useRef<E>(null);
  useEffect(() => {
    if (all) firstNew.current?.focus();
  }, [all]);
  return { all, showAll: () => setAll(true), firstNew };
}

/** Returns each node's edges with the id of the other end. */
function neighborsById(edges: readonly DiagramEdge[]): Map<string, { other: string; edge: DiagramEdge }[]> {
  const near = new Map<string, { other: string; edge: DiagramEdge }[]>();
  const add = (id: string, other: string, edge: DiagramEdge) => {
    const list = near.get(id) ?? [];
    list.push({ other, edge });
    near.set(id, list);
  };
  for (const edge of edges) {
    add(edge.from, edge.to, edge);
    add(edge.to, edge.from, edge);
  }
  return near;
}
