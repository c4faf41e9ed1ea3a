import { describe, expect, test } from 'vitest';
import { Screen } from './screen.ts';

const paper = () => {
  const written: string[] = [];
  return { canvas: { write: (text: string) => written.push(text) }, take: () => written.splice(0).join('') };
};

describe('Screen', () => {
  test('paints only the lines that changed', () => {
    const { canvas, take } = paper();
    const screen = new Screen(canvas);
    screen.enter();
    screen.paint(['one', 'two'], undefined);
    take();
    screen.paint(['one', 'TWO', 'three'], undefined);
    const text = take();
    expect(text).not.toContain('one');
    expect(text).toContain('\x1b[2;1H\x1b[0m\x1b[KTWO');
    expect(text).toContain('\x1b[3;1H\x1b[0m\x1b[Kthree');
    screen.paint(['one', 'TWO', 'three'], undefined);
    expect(take()).toBe('');
    screen.paint(['one'], undefined);
    expect(take()).toContain('\x1b[3;1H\x1b[0m\x1b[K\x1b[0m');
  });

  test('shows the cursor where text is typed, and hides it again', () => {
    const { canvas, take } = paper();
    const screen = new Screen(canvas);
    screen.enter();
    take();
    screen.paint(['/監'], { column: 3, row: 0 });
    expect(take()).toContain('\x1b[1;4H\x1b[?25h');
    screen.paint(['/監'], undefined);
    expect(take()).toBe('\x1b[?2026h\x1b[?25l\x1b[?2026l');
  });

  test('gives everything back that it took, once', () => {
    const { canvas, take } = paper();
    const screen = new Screen(canvas);
    screen.enter();
    const modes = [...take().matchAll(/\x1b\[\?(\d+)([hl])/g)].filter(([, mode]) => mode !== '2026');
    screen.leave();
    const back = take();
    for (const [, mode, way] of modes) expect(back).toContain(`\x1b[?${mode}${way === 'h' ? 'l' : 'h'}`);
    screen.leave();
    expect(take()).toBe('');
  });

  test('paints everything after somebody else had the screen', () => {
    const { canvas, take } = paper();
    const screen = new Screen(canvas);
    screen.enter();
    screen.paint(['one'], undefined);
    screen.leave();
    take();
    screen.paint(['one', 'two'], undefined);
    expect(take()).toBe('');
    screen.enter();
    expect(take()).toMatch(/one[\s\S]*two/);
    screen.repaint(2);
    expect(take()).toMatch(/one[\s\S]*two/);
  });

  test('writes nothing below a screen that has become smaller, which would be in its last row', () => {
    const { canvas, take } = paper();
    const screen = new Screen(canvas);
    screen.enter();
    screen.paint(['one', 'two', 'three', 'last'], undefined);
    take();
    screen.repaint(2);
    screen.paint(['one', 'last'], undefined);
    const rows = [...take().matchAll(/\x1b\[(\d+);1H/g)].map(([, row]) => Number(row));
    expect(Math.max(...rows)).toBe(2);
  });
});
