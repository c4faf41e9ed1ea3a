// Every rule can be imported on its own: clients only bundle the checks they use, and never zod.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const room = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(room).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

async function bundled(entry: string): Promise<{ inputs: string[]; bytes: number }> {
  const { metafile } = await build({
    ...(entry.endsWith('.ts')
      ? { entryPoints: [room + entry] }
      : { stdin: { contents: entry, resolveDir: room } }),
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    outfile: 'out.js',
    logLevel: 'error',
  });
  const output = metafile.outputs['out.js']!;
  const inputs = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { inputs: inputs.map(([path]) => path), bytes: output.bytes };
}

test.each(files)('%s runs in a browser without zod', async (name) => {
  const { inputs } = await bundled(name);
  expect(inputs.filter((path) => path.includes('node_modules/zod'))).toEqual([]);
});

test('a simple rule is a few hundred bytes and pulls nothing', async () => {
  const { inputs, bytes } = await bundled('phone.ts');
  expect(inputs).toHaveLength(1);
  expect(bytes).toBeLessThan(300);
});
