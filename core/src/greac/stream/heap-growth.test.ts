import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const module = new URL('./heap-growth.ts', import.meta.url).href;

/** Factors by which V8 lets the heap of a process grow that was started with a small one. */
function growthAfter(call: string): Set<string> {
  const program = `
    const { setFlagsFromString } = await import('node:v8');
    const { growHeapFurther } = await import(${JSON.stringify(module)});
    ${call}
    process.stdout.write('begin');
    gc();`;
  const flags = ['--heap-growing-percent=10', '--trace-gc-verbose', '--expose-gc'];
  const { stdout } = spawnSync(
    process.execPath,
    [...flags, '--import', 'tsx', '--input-type=module', '-e', program],
    { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' },
  );
  const [, traced = ''] = stdout.split('begin');
  return new Set([...traced.matchAll(/Limit: .* \((\d\.\d)\)/g)].map(([, factor]) => factor!));
}

test('the heap may grow to four times of what is in use', { timeout: 30_000 }, () => {
  expect(growthAfter('growHeapFurther(setFlagsFromString);')).toEqual(new Set(['4.0']));
  expect(growthAfter('')).not.toContain('4.0');
});
