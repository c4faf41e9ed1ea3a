import open from 'open';

/** Milliseconds after which a launcher that still runs counts as successful. */
const launchTimeoutMs = 1000;

/** Opens a URL in the browser; false when none can be opened. `launch` starts the launcher of the desktop. */
export async function openBrowser(address: string, launch: typeof open = open): Promise<boolean> {
  try {
    const child = await launch(address);
    // A launcher that is missing or fails at once reports that asynchronously. The timer keeps the process
    // alive meanwhile, because the launcher itself does not.
    return await new Promise((resolve) => {
      const settle = (opened: boolean) => {
        clearTimeout(timer);
        resolve(opened);
      };
      const timer = setTimeout(() => settle(true), launchTimeoutMs);
      child.once('error', () => settle(false));
      child.once('exit', (code) => settle(code === 0));
    });
  } catch {
    return false;
  }
}
