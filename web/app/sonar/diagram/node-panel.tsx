// Details of the selected node, its connections, and buttons to move it without dragging.

import { Link } from '@remix-run/react';
import { dataKey } from '@yagura/core/i18n/message-key';
import { Button, IconButton } from '../../ui/button.tsx';
import { StatusBadge } from '../../ui/text/status-badge.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { DeviceIcon } from './device-icon.tsx';
import { keyboardStep } from './diagram-canvas.tsx';
import type { DiagramEdge, DiagramNode, Point } from './diagram-layout.ts';
import { stateTones } from './state-tones.ts';

const moveButtons = [
  ['back', 'move-left', -1, 0],
  ['up', 'move-up', 0, -1],
  ['down', 'move-down', 0, 1],
  ['right', 'move-right', 1, 0],
] as const;

export function NodePanel(props: {
  node: DiagramNode;
  edges: readonly DiagramEdge[];
  byId: ReadonlyMap<string, DiagramNode>;
  mayMove: boolean;
  onShow: (id: string) => void;
  onMove: (id: string, to: Point, done: boolean) => void;
  /** The pressed button disappears: the caller moves the focus to the node. */
  onPutBack: (id: string) => void;
  /** As above. */
  onClose: (id: string) => void;
}) {
  const { t } = useTranslation();
  const { node, byId, mayMove } = props;
  const near = props.edges.flatMap((edge) => {
    const other = byId.get(edge.from === node.id ? edge.to : edge.to === node.id ? edge.from : '');
    return other ? [{ way: edge, other }] : [];
  });
  return (
    <section
      aria-label={node.name}
      onKeyDown={(event) => event.key === 'Escape' && props.onClose(node.id)}
      className="flex max-h-[36rem] flex-col gap-3 overflow-y-auto rounded-lg border border-line bg-surface p-4 shadow-raised md:w-72 md:shrink-0 print:hidden"
    >
      <header className="flex items-start gap-2">
        <span className="mt-0.5 text-muted">
          <DeviceIcon type={node.type} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold break-words">{node.name}</h2>
          <p className="text-xs text-muted">
            {[t(dataKey(`diagram.type.${node.type}`)), node.vendor].filter(Boolean).join(' · ')}
          </p>
        </div>
        <IconButton icon="close" label={t('verb.close')} onClick={() => props.onClose(node.id)} />
      </header>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        {node.state && (
          <StatusBadge value={node.state} tones={stateTones} options={Object.keys(stateTones)} />
        )}
        <span className="tabular-nums">
          {node.isSubnet ? t('diagram.nodes', { count: Number(node.note) }) : node.note}
        </span>
      </p>
      {node.href ? (
        <Link to={node.href} className="text-sm font-medium text-primary hover:underline">
          {t('diagram.open')}
        </Link>
      ) : (
        !node.isSubnet && <p className="text-xs text-muted">{t('diagram.known-by-mac')}</p>
      )}
      {mayMove && (
        <div className="flex flex-wrap items-center gap-1">
          {moveButtons.map(([icon, word, x, y]) => (
            <IconButton
              key={word}
              icon={icon}
              variant="default"
              label={t(`diagram.${word}`)}
              onClick={() =>
                props.onMove(node.id, { x: node.x + x * keyboardStep, y: node.y + y * keyboardStep }, true)
              }
            />
          ))}
          {node.moved && (
            <Button size="small" variant="quiet" onClick={() => props.onPutBack(node.id)}>
              {t('diagram.put-back')}
            </Button>
          )}
        </div>
      )}
      {near.length > 0 && (
        <div>
          <h3 className="mb-1 text-xs font-medium text-muted">
            {t('diagram.connections')} ({near.length})
          </h3>
          <ul className="grid gap-0.5 text-sm">
            {near.slice(0, 300).map(({ way, other }) => (
              <li key={way.id}>
                <button
                  type="button"
                  onClick={() => props.onShow(other.id)}
                  className="w-full rounded-md px-1.5 py-1 text-left hover:bg-hover"
                >
                  <span className="block truncate">{other.name}</span>
                  <span className="block truncate text-xs text-muted tabular-nums">
                    {[way.label, t(`diagram.evidence.${way.evidence}`)].filter(Boolean).join(' · ')}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
