// Renders the home view and an item's detail view: label column, small tables, wrapped text.
import { formatAge } from '@yagura/core/format/duration';
import { type Cell, fitWidths } from '../../terminal/table.ts';
import { wrapText } from '../../terminal/wrap-text.ts';
import { detailLines } from '../state/detail-lines.ts';
import { bodyRows, type DetailLine, type DetailView, type State } from '../state/state.ts';
import {
  gutterWidth,
  joinCells,
  loadingText,
  paintSelected,
  type RenderContext,
  renderNotice,
  windowStart,
} from './render-context.ts';

interface DetailRow {
  index: number;
  text: string;
}

export function renderDetail(state: State, view: DetailView, render: RenderContext): string[] {
  if (!view.detail)
    return renderNotice(view.loadError ?? ` ${loadingText(state, render.presenter.t)}`, state, render);
  const lines = detailLines(view);
  const height = bodyRows(state);
  // Every line takes at least one row, so lines further away than the screen height cannot be visible.
  const from = Math.max(0, view.cursor - height);
  const near = lines
    .slice(from, view.cursor + height + 1)
    .map((line) => withCurrentAges(line, state.now, render));
  const renderLine = createLineRenderer(state, view, near, render);
  const rows = near.flatMap((line, index) => renderLine(line, from + index));
  const at = rows.findIndex(({ index }) => index === view.cursor);
  const before = from === 0 ? 0 : Math.max(0, Math.min(at, height));
  const start =
    from === 0
      ? windowStart(Math.max(0, at), height, rows.length)
      : Math.max(0, at - Math.min(before, Math.floor(height / 2)));
  const last = Math.max(0, rows.length - height);
  return rows
    .slice(Math.min(start, last))
    .slice(0, height)
    .map(({ text }) => text);
}

/** Ages go on while the content stays, such as when the server cannot be reached. */
function withCurrentAges(line: DetailLine, now: number, { presenter }: RenderContext): DetailLine {
  if (!line.cells?.some(({ agesFrom }) => agesFrom)) return line;
  const cells = line.cells.map((cell) =>
    cell.agesFrom ? { ...cell, text: formatAge(cell.agesFrom, now, presenter.t) } : cell,
  );
  return { ...line, cells };
}

function createLineRenderer(
  state: State,
  view: DetailView,
  near: readonly DetailLine[],
  render: RenderContext,
) {
  const { measure, paint } = render;
  const { columns } = state.size;
  const marks = gutterWidth(columns);
  const maxWidth = Math.max(1, columns - marks);
  const labels = Math.min(
    Math.max(0, ...(view.detail?.lines ?? []).map(({ label }) => (label ? measure.width(label) : 0))),
    Math.floor(maxWidth / 3),
  );
  const widths = (view.detail?.tables ?? []).map((table, index) => {
    const rows = near.filter((line) => line.table === index && line.cells);
    const natural = table.map((_, column) =>
      Math.max(0, ...rows.map(({ cells }) => measure.width(cells![column]!.text))),
    );
    return fitWidths(table, natural, Math.max(1, maxWidth - 2));
  });
  const mark = (line: DetailLine, isSelected: boolean) =>
    `${isSelected ? '>' : ' '}${!isSelected && line.link && !line.cells ? '›' : ' '}`.slice(0, marks);
  const finish = (
    line: DetailLine,
    index: number,
    texts: readonly { plain: string; shown: string }[],
  ): DetailRow[] =>
    texts.map(({ plain, shown }, part) => {
      const isSelected = index === view.cursor;
      const front = part === 0 ? mark(line, isSelected) : ' '.repeat(marks);
      return {
        index,
        text:
          isSelected && part === 0
            ? paintSelected(front + plain, front + shown, columns, render)
            : front + shown,
      };
    });
  return (line: DetailLine, index: number): DetailRow[] => {
    const styled = (text: string) => (line.style ? paint(line.style, text) : text);
    if (line.cells && line.table !== undefined) {
      const table = view.detail!.tables[line.table]!;
      const indent = maxWidth > 20 ? '  ' : '';
      const row = (coloured: boolean) =>
        indent + joinCells(line.cells as Cell[], table, widths[line.table!]!, render, coloured);
      return finish(line, index, [{ plain: row(false), shown: row(true) }]);
    }
    if (line.label !== undefined && labels > 0 && maxWidth >= 12) {
      const label = measure.fit(line.label, labels);
      const texts = wrapText(line.text, Math.max(1, maxWidth - labels - 2), measure).map((text, part) => {
        const front = part === 0 ? label : ' '.repeat(labels);
        return { plain: `${front}  ${text}`, shown: `${paint('dim', front)}  ${styled(text)}` };
      });
      return finish(line, index, texts);
    }
    const indent = ' '.repeat(Math.min(line.depth * 2, Math.floor(maxWidth / 3)));
    const texts = wrapText(line.text, maxWidth - indent.length, measure);
    return finish(
      line,
      index,
      texts.map((text) => ({ plain: indent + text, shown: indent + styled(text) })),
    );
  };
}
