// A diagram node: a tile, or a frame with a header for a container.
import { dataKey } from '@yagura/core/i18n/message-key';
import { memo } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { DeviceIcon } from './device-icon.tsx';
import { type DiagramNode, headerHeight } from './diagram-layout.ts';

/** Text width of a tile in half-width characters. */
const maxNameWidth = 19;
const maxNoteWidth = 22;

const stateStroke: Record<string, string> = {
  new: 'stroke-line-strong',
  stable: 'stroke-line-strong',
  outdated: 'stroke-warning-fg',
};

export const NodeTile = memo(function NodeTile(props: {
  node: DiagramNode;
  selected: boolean;
  /** Whether the search found the node; null without a search. */
  found: 'found' | 'passed' | null;
  /** The node in the tab order (roving tabindex). */
  reachable: boolean;
  movable: boolean;
  /** `far`: a large name if nothing contains the node, else the icon; `shape`: not even the icon. */
  detail: 'full' | 'far' | 'shape';
}) {
  const { t } = useTranslation();
  const { node, selected, found, detail } = props;
  const { id, x, y, width, height, name, note, type, state } = node;
  const holds = height > headerHeight;
  const kind = t(dataKey(`diagram.type.${type}`));
  const line = node.isSubnet ? t('diagram.nodes', { count: Number(note) }) : note;
  const descriptionLines = [
    t('diagram.name', { name, type: kind }),
    line,
    state && t(dataKey(`value.${state}`)),
    node.moved && t('diagram.moved'),
  ].filter(Boolean);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing has no button element
    <g
      role="button"
      tabIndex={props.reachable ? 0 : -1}
      aria-pressed={selected}
      aria-label={descriptionLines.join(', ')}
      data-node={id}
      transform={`translate(${x} ${y})`}
      className={classNames(
        'group outline-none',
        props.movable ? 'cursor-grab touch-none active:cursor-grabbing' : 'cursor-pointer',
        found === 'passed' && 'opacity-30',
      )}
    >
      <title>{descriptionLines.join('\n')}</title>
      {holds && (
        <rect
          width={width}
          height={height}
          rx={8}
          className="fill-surface-sunken stroke-line"
          strokeWidth={1.5}
        />
      )}
      <rect
        width={width}
        height={headerHeight}
        rx={8}
        strokeWidth={selected ? 3 : 1.5}
        strokeDasharray={state === 'outdated' ? '5 4' : undefined}
        className={classNames(
          found === 'found' ? 'fill-warning-bg' : node.isSubnet ? 'fill-info-bg' : 'fill-surface',
          selected
            ? 'stroke-primary'
            : node.isSubnet
              ? 'stroke-info-fg'
              : (stateStroke[state ?? ''] ?? 'stroke-line'),
          'group-focus-visible:stroke-focus group-focus-visible:[stroke-width:4]',
        )}
      />
      {state === 'new' && (
        <path d={`M${width - 20} 1H${width - 8}A7 7 0 01${width - 1} 8V20Z`} className="fill-info-fg" />
      )}
      {(detail === 'full' || (detail === 'far' && node.container !== null)) && (
        <g className={node.isSubnet ? 'text-info-fg' : 'text-muted'}>
          <DeviceIcon type={type} x={10} y={(headerHeight - 20) / 2} size={20} />
        </g>
      )}
      {detail === 'full' && (
        <>
          <text x={40} y={line ? 22 : 31} className="fill-text text-[13px] font-semibold">
            {truncate(name, holds ? (width - 60) / 6.8 : maxNameWidth)}
          </text>
          {line && (
            <text x={40} y={39} className="fill-muted text-[11px] tabular-nums">
              {truncate(line, holds ? (width - 60) / 6 : maxNoteWidth)}
            </text>
          )}
        </>
      )}
      {detail !== 'full' && node.container === null && (
        <text x={14} y={38} className="fill-text text-[32px] font-semibold">
          {truncate(name, (width - 24) / 17)}
        </text>
      )}
      {node.moved && <circle cx={width - 8} cy={headerHeight - 8} r={3} className="fill-primary" />}
    </g>
  );
});

/** Truncates text to a number of half-width characters. */
function truncate(text: string, room: number): string {
  let used = 0;
  let truncated = '';
  for (const character of text) {
    used +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(
        character,
      )
        ? 2
        : 1;
    if (used > room) return `${truncated.slice(0, -1)}…`;
    truncated += character;
  }
  return truncated;
}
