// One run of the development server: the server from its sources, with the console transformed by Vite on request.
import { join, resolve } from 'node:path';
import { createServer } from 'vite';
import { createLog } from '../../server/src/common/log.ts';
import { version } from '../../server/src/common/version.ts';
import { readConfig, readLogLevel } from '../../server/src/config/config.ts';
import { runServer } from '../../server/src/hosting/run-server.ts';
import { root } from '../run.mjs';

/** Port of the WebSocket by which the page hears of changes. */
const hotPort = Number(process.env.YAGURA_HMR_PORT ?? 24678);

const log = createLog(process.stderr, { level: readLogLevel(process.env) });
const config = readConfig(['--data', join(root, 'data'), ...process.argv.slice(2)], process.env);
// Relative to where the command was called; the build tool wants its own folder as the current one.
config.dataFolder = resolve(config.dataFolder);
const web = join(root, 'web');
process.chdir(web);
const vite = await createServer({
  root: web,
  configFile: join(web, 'vite.config.ts'),
  appType: 'custom',
  server: { middlewareMode: true, hmr: { port: hotPort } },
});
await runServer({
  config,
  version,
  log,
  consoleSource: {
    load: () => vite.ssrLoadModule('virtual:remix/server-build'),
    middleware: vite.middlewares,
  },
});
