// Builds the smallest Remix page there is with the repository's own packages and settings, in a folder that goes away.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const files = {
  'package.json': '{ "type": "module", "sideEffects": false }',
  'vite.config.js': `import { vitePlugin as remix } from '@remix-run/dev';
export default {
  plugins: [remix({ future: { v3_fetcherPersist: true, v3_lazyRouteDiscovery: true, v3_relativeSplatPath: true,
    v3_singleFetch: true, v3_throwAbortReason: true } })],
  build: { target: 'es2022' },
};`,
  'app/entry.client.jsx': `import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
startTransition(() => hydrateRoot(document, <StrictMode><RemixBrowser /></StrictMode>));`,
  'app/entry.server.jsx': `import { RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
export default (request, status, headers, context) =>
  new Response(renderToString(<RemixServer context={context} url={request.url} />), { status, headers });`,
  'app/root.jsx': `import { Links, Meta, Outlet, Scripts, ScrollRestoration } from '@remix-run/react';
export default () => <html lang="en"><head><Meta /><Links /></head>
  <body><Outlet /><ScrollRestoration /><Scripts /></body></html>;`,
  'app/routes/_index.jsx': 'export default () => <h1>Bare</h1>;',
};

/** Gives the folder with the `client` and `server` halves; `other` files replace its own. Throws with the builder's output when it fails. */
export async function buildBarePage(root, other = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'yagura-bench-page-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
    await mkdir(join(folder, 'app', 'routes'), { recursive: true });
    for (const [name, text] of Object.entries({ ...files, ...other }))
      await writeFile(join(folder, name), text);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'node_modules', '.bin', 'remix'), 'vite:build'],
      { cwd: folder, encoding: 'utf8', timeout: 120_000, env: { ...process.env, NODE_ENV: 'production' } },
    );
    if (status !== 0) throw new Error(`the bare page could not be built:\n${stdout}${stderr}`);
    return { folder: join(folder, 'build'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
