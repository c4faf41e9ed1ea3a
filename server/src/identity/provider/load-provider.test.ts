import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const original = console.warn;
// Another test file of this process may have loaded it.
beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  console.warn = original;
});
const unsupported = 'oidc-provider WARNING: Unsupported runtime. Use Node.js';

test('the library is loaded once, without its warning about the runtime and with every other one', async () => {
  const printed: unknown[][] = [];
  const own = (...parts: unknown[]) => void printed.push(parts);
  console.warn = own;
  const { loadProvider } = await import('./load-provider.ts');
  const loading = loadProvider();
  console.warn('another warning', 1);
  console.warn(unsupported);
  console.warn(7, unsupported);
  expect(loadProvider()).toBe(loading);
  expect(await loading).toHaveProperty('default');
  expect(console.warn).toBe(own);
  console.warn(unsupported);
  expect(printed).toEqual([['another warning', 1], [7, unsupported], [unsupported]]);
});

test('a function that somebody else puts there meanwhile stays', async () => {
  const { loadProvider } = await import('./load-provider.ts');
  const loading = loadProvider();
  const other = () => {};
  console.warn = other;
  await loading;
  expect(console.warn).toBe(other);
});
