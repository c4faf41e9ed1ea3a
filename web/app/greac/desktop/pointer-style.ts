// The pointer of a desktop as a style of the page.
import type { Pointer } from './pointer-updates.ts';

/** Browsers show no larger ones; those are drawn smaller. */
const maxSide = 128;

/** A value of the `cursor` property. */
export function pointerStyle(pointer: Pointer): string {
  if (pointer === 'hidden') return 'none';
  if (pointer === 'default') return 'default';
  const { width, height, x, y, pixels } = pointer;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')!.putImageData(new ImageData(pixels, width, height), 0, 0);
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const shown = scale === 1 ? canvas : scaled(canvas, scale);
  const [left, top] = [Math.floor(x * scale), Math.floor(y * scale)];
  return `url(${shown.toDataURL()}) ${left} ${top}, default`;
}

function scaled(canvas: HTMLCanvasElement, scale: number): HTMLCanvasElement {
  const smaller = document.createElement('canvas');
  Object.assign(smaller, { width: canvas.width * scale, height: canvas.height * scale });
  smaller.getContext('2d')!.drawImage(canvas, 0, 0, smaller.width, smaller.height);
  return smaller;
}
