import open from 'open';

/** Opens an address in the browser; false where none can be opened. */
export async function openBrowser(address: string): Promise<boolean> {
  try {
    const child = await open(address);
    // A launcher that is missing or fails at once says so only now.
    return await new Promise((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', (code) => resolve(code === 0));
      setTimeout(() => resolve(true), 1000).unref();
    });
  } catch {
    return false;
  }
}
