import open from 'open';

/** Opens a URL in the browser; false when none can be opened. */
export async function openBrowser(address: string): Promise<boolean> {
  try {
    const child = await open(address);
    // A launcher that is missing or fails at once reports that asynchronously.
    return await new Promise((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', (code) => resolve(code === 0));
      setTimeout(() => resolve(true), 1000).unref();
    });
  } catch {
    return false;
  }
}
