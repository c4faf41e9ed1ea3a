// Puts a fixed box beside what it belongs to, so that no scrolling part of the page cuts it off.

const gap = 4;
const edge = 8;

/** Below the anchor, or above where there is more room; its right edges aligned when the left ones do not fit. */
export function placeNear(box: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const above = at.bottom + gap + height > window.innerHeight && at.top > window.innerHeight - at.bottom;
  const left = at.left + width > window.innerWidth - edge ? Math.max(edge, at.right - width) : at.left;
  box.style.left = `${left}px`;
  box.style.top = `${above ? Math.max(edge, at.top - gap - height) : at.bottom + gap}px`;
}
