// Positions a fixed box next to its anchor, so that no scroll container clips it.

const gapPx = 4;
const viewportMarginPx = 8;

/** Below the anchor, or above if there is more space; right-aligned if it does not fit left-aligned. */
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
