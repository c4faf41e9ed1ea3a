// Puts a gzip and a brotli copy beside every file of the built console that gets smaller, so that the server compresses none of them twice.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const client = fileURLToPath(new URL('build/client', import.meta.url));
const kinds = new Set(['.js', '.css', '.svg', '.json', '.txt', '.wasm']);
/** Smaller files fit in one packet as they are; in bytes. */
const least = 1000;

const encodings = {
  '.gz': (bytes) => promisify(gzip)(bytes, { level: 9 }),
  '.br': (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
};

const entries = await readdir(client, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile() && kinds.has(extname(entry.name)));
await Promise.all(
  files.map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    if (bytes.length < least) return;
    for (const [ending, compress] of Object.entries(encodings)) {
      const compressed = await compress(bytes);
      if (compressed.length < bytes.length) await writeFile(file + ending, compressed);
    }
  }),
);
