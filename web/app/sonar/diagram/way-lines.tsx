// The ways between the things of a diagram: whole lines for what was told, dashed ones for what is inferred.
import { memo } from 'react';
import { classes } from '../../ui/classes.ts';
import { isHeld, type Thing, type Way, wayBetween } from './drawing.ts';

export const WayLines = memo(function WayLines(props: {
  ways: readonly Way[];
  byId: ReadonlyMap<string, Thing>;
  chosen: string | null;
}) {
  const { ways, byId, chosen } = props;
  const lines = ways.flatMap((way) => {
    const [from, to] = [byId.get(way.from), byId.get(way.to)];
    if (!from || !to || isHeld(from, to) || isHeld(to, from)) return [];
    return [{ way, ...wayBetween(from, to), near: way.from === chosen || way.to === chosen }];
  });
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <g aria-hidden="true">
      {lines.map(({ way, path, near }) => (
        <path
          key={way.id}
          d={path}
          fill="none"
          strokeWidth={near ? 3 : way.evidence === 'confirmed' ? 2 : 1.5}
          strokeDasharray={way.evidence === 'inferred' ? '6 5' : undefined}
          strokeLinejoin="round"
          className={classes(near ? 'stroke-primary' : 'stroke-line-strong')}
        />
      ))}
      <g className="diagram-text">
        {lines.map(({ way, at, near }) => (
          <text
            key={way.id}
            x={at.x}
            y={at.y}
            className={classes(
              'stroke-surface text-[11px] tabular-nums [paint-order:stroke] [stroke-width:4]',
              near ? 'fill-primary font-semibold' : 'fill-muted',
            )}
          >
            {way.label}
          </text>
        ))}
      </g>
    </g>
  );
});
