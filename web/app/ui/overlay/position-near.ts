// Puts a fixed box beside what it belongs to, so that no scrolling part of the page cuts it off.

const gapPx = 4;
const viewportMarginPx = 8;

/** Below the anchor, or above where there is more room; its right edges aligned when the left ones do not fit. */
export function positionNear(box: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const above = at.bottom + gapPx + height > window.innerHeight && at.top > window.innerHeight - at.bottom;
  const left =
    at.left + width > window.innerWidth - viewportMarginPx
      ? Math.max(viewportMarginPx, at.right - width)
      : at.left;
  box.style.left = `${left}px`;
  box.style.top = `${above ? Math.max(viewportMarginPx, at.top - gapPx - height) : at.bottom + gapPx}px`;
}
