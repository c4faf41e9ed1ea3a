// Edges of a diagram: solid lines if confirmed, dashed if inferred.
import { memo } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { type DiagramEdge, type DiagramNode, edgeBetween, isInside } from './diagram-layout.ts';

export const EdgeLines = memo(function EdgeLines(props: {
  edges: readonly DiagramEdge[];
  byId: ReadonlyMap<string, DiagramNode>;
  selected: string | null;
  isLabeled: boolean;
}) {
  const { edges, byId, selected, isLabeled } = props;
  const lines = edges.flatMap((edge) => {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    if (!from || !to || isInside(from, to) || isInside(to, from)) return [];
    return [{ edge, ...edgeBetween(from, to), near: edge.from === selected || edge.to === selected }];
  });
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <g aria-hidden="true">
      {lines.map(({ edge, path, near }) => (
        <Line key={edge.id} path={path} near={near} evidence={edge.evidence} />
      ))}
      {isLabeled &&
        lines.map(({ edge, at, near }) => (
          <Label key={`${edge.id} label`} text={edge.label} x={at.x} y={at.y} near={near} />
        ))}
    </g>
  );
});

// Memoized: only the edges of the node being moved change.
const Line = memo(function Line(props: { path: string; near: boolean; evidence: DiagramEdge['evidence'] }) {
  const { path, near, evidence } = props;
  return (
    <path
      d={path}
      fill="none"
      strokeWidth={near ? 3 : evidence === 'confirmed' ? 2 : 1.5}
      strokeDasharray={evidence === 'inferred' ? '6 5' : undefined}
      strokeLinejoin="round"
      className={near ? 'stroke-primary' : 'stroke-line-strong'}
    />
  );
});

const Label = memo(function Label(props: { text: string; x: number; y: number; near: boolean }) {
  return (
    <text
      x={props.x}
      y={props.y}
      className={classNames(
        'stroke-surface text-[11px] tabular-nums [paint-order:stroke] [stroke-width:4]',
        props.near ? 'fill-primary font-semibold' : 'fill-muted',
      )}
    >
      {props.text}
    </text>
  );
});
