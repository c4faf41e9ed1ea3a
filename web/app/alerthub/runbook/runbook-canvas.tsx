// Canvas of a runbook graph: steps can be dragged, selected and moved with the keyboard; edges are arrows.
import type { RunbookGraph, RunbookStep } from '@yagura/core/alerthub/runbook';
import { type PointerEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { edgePath, edgesOf, nodeSize, type RunbookEdge } from './runbook-graph.ts';

/** Distance that one press of Shift and an arrow key moves a step. */
const keyboardStep = 16;
const zoomLevels = [0.5, 0.65, 0.8, 1, 1.25, 1.5];
const margin = 40;

export function RunbookCanvas(props: {
  graph: RunbookGraph;
  selected: string | null;
  /** Ids of steps with validation errors. */
  invalidStepIds: ReadonlySet<string>;
  mayEdit: boolean;
  onSelect: (stepId: string) => void;
  onMove: (stepId: string, posX: string, posY: string) => void;
  onRemove: (stepId: string) => void;
  onArrange: () => void;
}) {
  const { t } = useTranslation();
  const { graph } = props;
  const [zoom, setZoom] = useState(3);
  const drag = useRef<{ stepId: string; x: number; y: number; posX: number; posY: number } | null>(null);
  const scale = zoomLevels[zoom]!;
  const xs = graph.steps.map((step) => Number(step.posX));
  const ys = graph.steps.map((step) => Number(step.posY));
  const left = Math.min(0, ...xs) - margin;
  const top = Math.min(0, ...ys) - margin;
  const width = Math.max(480, ...xs.map((x) => x + nodeSize.width)) - left + margin;
  const height = Math.max(240, ...ys.map((y) => y + nodeSize.height)) - top + margin;

  function begin(event: PointerEvent<HTMLButtonElement>, step: RunbookStep) {
    if (event.button !== 0 || !props.mayEdit) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { stepId } = step;
    drag.current = {
      stepId,
      x: event.clientX,
      y: event.clientY,
      posX: Number(step.posX),
      posY: Number(step.posY),
    };
  }
  function move(event: PointerEvent<HTMLButtonElement>) {
    const from = drag.current;
    if (!from) return;
    const [x, y] = [(event.clientX - from.x) / scale, (event.clientY - from.y) / scale];
    if (Math.abs(x) + Math.abs(y) < 3) return;
    props.onMove(from.stepId, String(Math.round(from.posX + x)), String(Math.round(from.posY + y)));
  }

  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="small"
          disabled={zoom === 0}
          aria-label={t('runbook.zoom-out')}
          onClick={() => setZoom(zoom - 1)}
        >
          −
        </Button>
        <span className="w-12 text-center text-xs text-muted tabular-nums">{Math.round(scale * 100)}%</span>
        <Button
          size="small"
          disabled={zoom === zoomLevels.length - 1}
          aria-label={t('runbook.zoom-in')}
          onClick={() => setZoom(zoom + 1)}
        >
          +
        </Button>
        {props.mayEdit && (
          <>
            <Button size="small" onClick={props.onArrange}>
              {t('runbook.arrange')}
            </Button>
            <span className="text-xs text-muted">{t('runbook.canvas-keys')}</span>
          </>
        )}
      </div>
      <div className="max-h-[32rem] overflow-auto rounded-md border border-line bg-bg">
        <div style={{ width: width * scale, height: height * scale }}>
          <div className="relative origin-top-left" style={{ width, height, transform: `scale(${scale})` }}>
            <svg width={width} height={height} className="absolute inset-0 text-muted" aria-hidden="true">
              <defs>
                <marker
                  id="runbook-arrow"
                  viewBox="0 0 8 8"
                  refX="7"
                  refY="4"
                  markerWidth="8"
                  markerHeight="8"
                  orient="auto"
                >
                  <path d="M0 0L8 4L0 8z" fill="currentColor" />
                </marker>
              </defs>
              <g transform={`translate(${-left} ${-top})`}>
                {edgesOf(graph.steps).map((edge) => (
                  <EdgeArrow key={`${edge.from.stepId} ${edge.branch}`} edge={edge} steps={graph.steps} />
                ))}
              </g>
            </svg>
            {graph.steps.map((step) => (
              <button
                key={step.stepId}
                type="button"
                aria-pressed={props.selected === step.stepId}
                onClick={() => props.onSelect(step.stepId)}
                onPointerDown={(event) => begin(event, step)}
                onPointerMove={move}
                onLostPointerCapture={() => {
                  drag.current = null;
                }}
                onKeyDown={(event) => {
                  if (!props.mayEdit) return;
                  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
                    event.key
                  ];
                  if (event.key === 'Delete') props.onRemove(step.stepId);
                  if (!by || !event.shiftKey) return;
                  event.preventDefault();
                  const [x, y] = [
                    Number(step.posX) + by[0]! * keyboardStep,
                    Number(step.posY) + by[1]! * keyboardStep,
                  ];
                  props.onMove(step.stepId, String(x), String(y));
                }}
                className={classNames(
                  'absolute touch-none rounded-md border bg-surface px-3 py-1.5 text-left text-sm shadow-raised',
                  props.invalidStepIds.has(step.stepId)
                    ? 'border-danger'
                    : props.selected === step.stepId
                      ? 'border-primary'
                      : 'border-line-strong',
                )}
                style={{ left: Number(step.posX) - left, top: Number(step.posY) - top, ...nodeSize }}
              >
                <span className="block truncate font-medium">{step.displayName || step.stepId}</span>
                <span className="block truncate text-xs text-muted">
                  {t(`value.${step.kind}`)}
                  {graph.startStepId === step.stepId ? ` · ${t('runbook.first')}` : ''}
                </span>
              </button>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function EdgeArrow({ edge, steps }: { edge: RunbookEdge; steps: readonly RunbookStep[] }) {
  const { t } = useTranslation();
  const { start, path } = edgePath(edge, steps);
  return (
    <g>
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.5" markerEnd="url(#runbook-arrow)" />
      {edge.branch !== 'next' && (
        <text x={start.x} y={start.y + 14} textAnchor="middle" fontSize="11" fill="currentColor">
          {t(edge.branch === 'nextTrue' ? 'value.true' : 'value.false')}
        </text>
      )}
    </g>
  );
}
