/** Shows the page on the full screen, or no longer; browsers may refuse. */
export function toggleFullScreen(): void {
  const changing = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  changing.catch(() => undefined);
}
