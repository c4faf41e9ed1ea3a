import { describe, expect, test } from 'vitest';
import { wideMeasure } from './measure.ts';
import { fitWidths, formatTable } from './table.ts';

const plain = (_style: string, text: string) => text;

describe('tableLines', () => {
  test('aligns wide characters, numbers to the right', async () => {
    const lines = formatTable(
      [{ title: 'Name' }, { title: 'Value', right: true }, { title: 'Note' }],
      [
        [{ text: '監視対象' }, { text: '7' }, { text: 'a' }],
        [{ text: 'web' }, { text: '1234' }, { text: 'b' }],
      ],
      80,
      await wideMeasure(),
      plain,
    );
    expect(lines).toEqual(['NAME      VALUE  NOTE', '監視対象      7  a', 'web        1234  b']);
  });

  test('no line is wider than the room, whatever the room', async () => {
    const measure = await wideMeasure();
    const columns = [
      { title: 'Status', whole: true },
      { title: 'Name' },
      { title: '概要' },
      { title: 'When', whole: true },
    ];
    const rows = [
      [
        { text: 'Incident' },
        { text: '長い名前のスコープ'.repeat(3) },
        { text: 'x'.repeat(90) },
        { text: '2026-01-31' },
      ],
    ];
    for (let maxWidth = 1; maxWidth <= 200; maxWidth += 1) {
      for (const line of formatTable(columns, rows, maxWidth, measure, plain)) {
        expect(measure.width(line)).toBeLessThanOrEqual(maxWidth);
      }
    }
  });

  test('of several times the last ones give way to a text that could not be read', async () => {
    const measure = await wideMeasure();
    const time = { whole: true, time: true };
    const columns = [
      { title: 'Status', whole: true },
      { title: 'Name' },
      { title: 'Last event', ...time },
      { title: 'Created', ...time },
      { title: 'Updated', ...time },
    ];
    const at = '01/31/2026, 09:00';
    const rows = [['Normal', 'Nightly reports of the shop', at, at, at].map((text) => ({ text }))];
    const shown = (maxWidth: number) =>
      formatTable(columns, rows, maxWidth, measure, plain)[1]!.split(/ {2,}/);
    expect(shown(120)).toHaveLength(5);
    expect(shown(80)).toEqual(['Normal', 'Nightly reports of the shop', at, at]);
    expect(shown(50)).toEqual(['Normal', 'Nightly reports of the…', at]);
    // One time column stays at any width.
    expect(shown(40)).toEqual(['Normal', 'Nightly repo…', at]);
    // A short name is not affected by a wide column.
    rows[0]![1] = { text: 'Web' };
    expect(shown(70)).toHaveLength(5);
  });

  describe('a crowded table', () => {
    const scopes = [
      { title: 'Status', whole: true },
      { title: 'Name', name: true },
      { title: 'Severity', whole: true, right: true },
      { title: 'Created', whole: true, time: true },
      { title: 'Updated', whole: true, time: true },
    ];
    const at = { text: '1/31/2026, 09:00', short: '1/31 09:00' };
    const row = (name: string) => [{ text: 'Normal' }, { text: name }, { text: '12' }, at, at];
    const shownAt = async (maxWidth: number, name: string) =>
      formatTable(scopes, [row(name)], maxWidth, await wideMeasure(), plain)[1]!
        .trim()
        .split(/ {2,}/);

    test.each([
      [100, ['Normal', 'Nightly reports of the shop', '12', at.text, at.text]],
      [80, ['Normal', 'Nightly reports of the shop', '12', at.short, at.short]],
      [60, ['Normal', 'Nightly reports of the shop', '12', at.short]],
      [50, ['Normal', 'Nightly reports of the shop', at.short]],
      // Even the name has to give way.
      [40, ['Normal', 'Nightly reports of …', at.short]],
    ])('at %i columns times become short and columns go before the name is cut', async (width, cells) =>
      expect(await shownAt(width, 'Nightly reports of the shop')).toEqual(cells),
    );

    test('an id is shortened for a text, and complete when both fit', async () => {
      const columns = [{ title: 'ID', whole: true, id: true }, { title: 'Summary' }];
      const id = { text: '01a1fea7-056f-700d-b199-539c2daf013a', short: '01a1fea7…013a' };
      const lineAt = async (maxWidth: number, summary: string) =>
        formatTable(columns, [[id, { text: summary }]], maxWidth, await wideMeasure(), plain)[1]!;
      expect(await lineAt(60, 'disk full on database 1')).toBe(`${id.text}  disk full on database…`);
      expect(await lineAt(50, 'disk full on database 1')).toBe(`${id.short}  disk full on database 1`);
      expect(await lineAt(50, 'disk full')).toBe(`${id.text}  disk full`);
    });
  });

  test('paints whole cells', async () => {
    const [, row] = formatTable(
      [{ title: 'S' }],
      [[{ text: 'x', style: 'danger' }]],
      10,
      await wideMeasure(),
      (style, text) => `<${style}>${text}`,
    );
    expect(row).toBe('<danger>x');
  });
});

describe('fitWidths', () => {
  const whole = { title: '', whole: true };
  const soft = { title: '' };
  test.each([
    ['all fit', [whole, soft], [10, 20], 40, [10, 20]],
    ['the long one gives way', [whole, soft, soft], [10, 60, 12], 50, [10, 24, 12]],
    ['down to a readable rest', [whole, soft], [10, 60], 20, [10, 8]],
    ['then the last is left out', [whole, soft, whole], [10, 60, 20], 30, [10, 18]],
    ['a single one is cut', [whole], [36], 20, [20]],
  ])('%s', (_name, columns, natural, maxWidth, widths) =>
    expect(fitWidths(columns, natural, maxWidth)).toEqual(widths),
  );
});
