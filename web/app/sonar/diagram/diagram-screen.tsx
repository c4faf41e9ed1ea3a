// Diagram page: toolbar, canvas, details of the selected node, and an equivalent table.
import { useNavigate } from '@remix-run/react';
import { type FormEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { DiagramCanvas, focusDiagram, focusNode } from './diagram-canvas.tsx';
import type { diagramData } from './diagram-data.server.ts';
import { findNodes } from './diagram-layout.ts';
import { DiagramTable } from './diagram-table.tsx';
import { Legend } from './legend.tsx';
import { NodePanel } from './node-panel.tsx';
import { useMoves } from './use-moves.ts';
import { useViewport } from './use-viewport.ts';

type Data = Awaited<ReturnType<typeof diagramData>>;

/** `hint` is shown below the toolbar, e.g. how reliable the diagram is. */
export function DiagramScreen(props: { data: Data; name: string; hint?: string }) {
  const { t } = useTranslation();
  if (props.data.nodes.length === 0)
    return <Placeholder kind="empty" title={t('diagram.empty')} detail={t('diagram.empty-detail')} />;
  return <Diagram {...props} />;
}

function Diagram({ data, name, hint }: { data: Data; name: string; hint?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const svg = useRef<SVGSVGElement>(null);
  const helpId = useId();
  const moves = useMoves(data.nodes);
  const { nodes } = moves;
  const viewport = useViewport(svg, nodes);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [isConfirming, setIsConfirming] = useState(false);
  const wasReset = useRef(false);
  // After the dialog has returned the focus to its button, which is disabled once no node is moved.
  useEffect(() => {
    if (isConfirming || !wasReset.current) return;
    wasReset.current = false;
    focusDiagram(svg.current);
  }, [isConfirming]);
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  // Deferred, so that the table is updated after a drag has stopped.
  const deferred = useDeferredValue(useMemo(() => ({ nodes, byId }), [nodes, byId]));
  const hits = useMemo(() => findNodes(data.nodes, text), [data.nodes, text]);
  const isSearch = text.trim() !== '';
  // Deferred, so that what is typed appears before thousands of nodes are drawn again.
  const found = useDeferredValue(useMemo(() => (isSearch ? new Set(hits) : null), [hits, isSearch]));
  const at = selectedId === null ? -1 : hits.indexOf(selectedId);
  const selected = selectedId === null ? undefined : byId.get(selectedId);

  function show(id: string) {
    const node = byId.get(id);
    if (!node) return;
    setSelectedId(id);
    viewport.reveal(node);
  }
  function next(event: FormEvent) {
    event.preventDefault();
    if (hits.length > 0) show(hits[(at + 1) % hits.length]!);
  }

  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <form onSubmit={next} className="flex min-w-48 flex-1 items-center gap-2 sm:max-w-96">
          <input
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-label={t('diagram.find')}
            placeholder={t('diagram.find')}
            className="h-8 w-full min-w-0 rounded-md border border-line-strong/60 bg-surface px-2.5 text-sm"
          />
          <IconButton type="submit" icon="down" label={t('diagram.next')} disabled={hits.length === 0} />
          <span role="status" className="shrink-0 text-xs whitespace-nowrap text-muted tabular-nums">
            {isSearch &&
              (hits.length === 0
                ? t('diagram.found-none')
                : t('diagram.found', { at: at + 1, count: hits.length }))}
          </span>
        </form>
        <span className="flex-1 max-sm:hidden" />
        <IconButton
          icon="minus"
          variant="default"
          label={t('diagram.zoom-out')}
          onClick={() => viewport.zoom(0.75)}
        />
        <IconButton
          icon="plus"
          variant="default"
          label={t('diagram.zoom-in')}
          onClick={() => viewport.zoom(4 / 3)}
        />
        <Button size="small" onClick={viewport.fit}>
          {t('diagram.fit')}
        </Button>
        {data.mayMove && (
          <Button
            size="small"
            disabled={!nodes.some(({ moved }) => moved)}
            onClick={() => setIsConfirming(true)}
          >
            {t('diagram.arrange')}
          </Button>
        )}
      </div>
      {(data.truncated || hint) && (
        <p className="text-xs text-muted">
          {hint}{' '}
          {data.truncated &&
            t('diagram.truncated', {
              // The total does not count devices that no scan has found.
              shown: nodes.filter(({ href }) => href !== undefined).length,
              total: data.total,
            })}
        </p>
      )}
      <div className="flex min-w-0 flex-col gap-3 md:flex-row">
        <div className="h-[26rem] min-w-0 overflow-hidden rounded-lg border border-line bg-surface shadow-raised md:h-[36rem] md:flex-1 print:h-[90vh] print:border-0 print:shadow-none">
          <DiagramCanvas
            svg={svg}
            viewport={viewport}
            nodes={nodes}
            byId={byId}
            edges={data.edges}
            selected={selectedId}
            found={found}
            mayMove={data.mayMove}
            name={name}
            helpId={helpId}
            onSelect={setSelectedId}
            onOpen={(node) => node.href && navigate(node.href)}
            onMove={moves.move}
          />
        </div>
        {selected && (
          <NodePanel
            node={selected}
            edges={data.edges}
            byId={byId}
            mayMove={data.mayMove}
            onShow={(id) => {
              show(id);
              focusNode(svg.current, id);
            }}
            onMove={moves.move}
            onPutBack={(id) => {
              moves.putBack([id]);
              focusNode(svg.current, id);
            }}
            onClose={(id) => {
              setSelectedId(null);
              focusNode(svg.current, id);
            }}
          />
        )}
      </div>
      <Legend />
      <p id={helpId} className="text-xs text-muted print:hidden">
        {data.mayMove ? t('diagram.help') : t('diagram.help-view')}
      </p>
      <DiagramTable {...deferred} edges={data.edges} found={found} name={name} />
      <ConfirmDialog
        open={isConfirming}
        title={t('diagram.arrange-title')}
        text={t('diagram.arrange-text')}
        confirmLabel={t('diagram.arrange')}
        onConfirm={() => {
          moves.putBack(nodes.filter(({ moved }) => moved).map(({ id }) => id));
          wasReset.current = true;
          setIsConfirming(false);
        }}
        onCancel={() => setIsConfirming(false)}
      />
    </div>
  );
}
