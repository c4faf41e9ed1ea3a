// Home and the sheet of one item: labels in a column, small tables, text that is wrapped.
import { type Cell, fitWidths } from '../term/table.ts';
import { wrapped } from '../term/wrap.ts';
import { gutter, joined, type RenderContext, windowStart } from './brush.ts';
import { linesOf } from './sheet-lines.ts';
import { bodyRows, type DetailLine, type DetailView, type State } from './state.ts';

interface Drawn {
  index: number;
  text: string;
}

export function drawDetail(state: State, view: DetailView, render: RenderContext): string[] {
  const { columns } = state.size;
  const { measure, paint, presenter } = render;
  if (!view.detail)
    return [paint('dim', measure.fit(view.lost ?? ` ${presenter.t('text.loading')}`, columns))];
  const lines = linesOf(view);
  const height = bodyRows(state);
  // Every line takes a row at least: what is further away than the screen is high cannot be in view.
  const from = Math.max(0, view.cursor - height);
  const near = lines.slice(from, view.cursor + height + 1);
  const draw = penFor(state, view, near, render);
  const rows = near.flatMap((line, index) => draw(line, from + index));
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

function penFor(state: State, view: DetailView, near: readonly DetailLine[], render: RenderContext) {
  const { measure, paint } = render;
  const { columns } = state.size;
  const marks = gutter(columns);
  const room = Math.max(1, columns - marks);
  const labels = Math.min(
    Math.max(0, ...(view.detail?.lines ?? []).map(({ label }) => (label ? measure.width(label) : 0))),
    Math.floor(room / 3),
  );
  const widths = (view.detail?.tables ?? []).map((table, index) => {
    const rows = near.filter((line) => line.table === index && line.cells);
    const natural = table.map((_, column) =>
      Math.max(0, ...rows.map(({ cells }) => measure.width(cells![column]!.text))),
    );
    return fitWidths(table, natural, Math.max(1, room - 2));
  });
  const mark = (line: DetailLine, chosen: boolean) =>
    `${chosen ? '>' : ' '}${!chosen && line.link && !line.cells ? '›' : ' '}`.slice(0, marks);
  const finish = (
    line: DetailLine,
    index: number,
    texts: readonly { plain: string; shown: string }[],
  ): Drawn[] =>
    texts.map(({ plain, shown }, part) => {
      const chosen = index === view.cursor;
      const front = part === 0 ? mark(line, chosen) : ' '.repeat(marks);
      return {
        index,
        text: chosen && part === 0 ? paint('inverse', measure.fit(front + plain, columns)) : front + shown,
      };
    });
  return (line: DetailLine, index: number): Drawn[] => {
    const styled = (text: string) => (line.style ? paint(line.style, text) : text);
    if (line.cells && line.table !== undefined) {
      const table = view.detail!.tables[line.table]!;
      const indent = room > 20 ? '  ' : '';
      const row = (coloured: boolean) =>
        indent + joined(line.cells as Cell[], table, widths[line.table!]!, render, coloured);
      return finish(line, index, [{ plain: row(false), shown: row(true) }]);
    }
    if (line.label !== undefined && labels > 0 && room >= 12) {
      const label = measure.fit(line.label, labels);
      const texts = wrapped(line.text, Math.max(1, room - labels - 2), measure).map((text, part) => {
        const front = part === 0 ? label : ' '.repeat(labels);
        return { plain: `${front}  ${text}`, shown: `${paint('dim', front)}  ${styled(text)}` };
      });
      return finish(line, index, texts);
    }
    const indent = ' '.repeat(Math.min(line.depth * 2, Math.floor(room / 3)));
    const texts = wrapped(line.text, room - indent.length, measure);
    return finish(
      line,
      index,
      texts.map((text) => ({ plain: indent + text, shown: indent + styled(text) })),
    );
  };
}
