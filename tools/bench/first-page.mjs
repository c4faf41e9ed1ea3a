// Gzipped JavaScript of the first page: ours against the smallest Remix page built with the same packages.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildBarePage } from './peers/build-baseline-page.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function benchFirstPage({ say }) {
  const ours = join(root, 'web', 'build');
  if (!existsSync(join(ours, 'server', 'index.js')))
    return [{ name: 'first page', skipped: 'web/build is missing: run "npm run build" first' }];
  say(
    'first page: gzipped JavaScript that the home page loads before it can be used (entry, layouts, page, and the words',
  );
  say('  of the larger language), against the smallest Remix page built now with the same packages');
  const bare = await buildBarePage(root);
  try {
    const our = await firstLoad(ours);
    const their = await firstLoad(bare.folder);
    const ratio = our.bytes / their.bytes;
    say(`  ours ${our.files} files, ${our.bytes} B; bare ${their.files} files, ${their.bytes} B`);
    return [
      {
        name: 'first page',
        unit: ' B',
        ours: our.bytes,
        peer: their.bytes,
        peerName: 'bare Remix page',
        ratio,
        aim: '<= 1.3',
        met: ratio <= 1.3,
      },
    ];
  } finally {
    await bare.remove();
  }
}

/** All scripts of the index page: the entry's, those of its layouts and its own, and what these import. */
async function firstLoad(folder) {
  const { assets } = await import(pathToFileURL(join(folder, 'server', 'index.js')).href);
  const chain = [];
  const index = Object.values(assets.routes).find((route) => route.index && isTop(route, assets.routes));
  for (let route = index; route; route = assets.routes[route.parentId]) chain.push(route);
  const files = new Set();
  const read = (url) => readFileSync(join(folder, 'client', url), 'utf8');
  const follow = (url) => {
    if (files.has(url)) return;
    files.add(url);
    for (const [, name] of read(url).matchAll(/(?:from|import)\s*"(\.\.?\/[^"]+\.js)"/g))
      follow(join(dirname(url), name));
  };
  for (const { module, imports } of [assets.entry, ...chain]) {
    for (const url of [module, ...imports]) follow(url);
  }
  // The entry fetches the words of every page in one language before the page comes to life; the larger one counts.
  const sizeOf = (url) => gzipSync(read(url), { level: 9 }).length;
  const words = [...files]
    .filter((url) => url === assets.entry.module || assets.entry.imports.includes(url))
    .flatMap((url) =>
      [...read(url).matchAll(/import\("(\.\.?\/[a-z]+-first-[^"]+\.js)"\)/g)].map(([, name]) =>
        join(dirname(url), name),
      ),
    )
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, 1);
  const all = [...files, ...words];
  return { files: all.length, bytes: all.reduce((sum, url) => sum + sizeOf(url), 0) };
}

/** True when no route above adds to the URL: the page at "/". */
function isTop(route, routes) {
  for (let above = routes[route.parentId]; above; above = routes[above.parentId])
    if (above.path) return false;
  return true;
}
