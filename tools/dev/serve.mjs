// One run of the development server: the server from its sources, with the console transformed by Vite on request.
import { join } from 'node:path';
import { createServer } from 'vite';
import { createLog } from '../../server/src/common/log.ts';
import { version } from '../../server/src/common/version.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { startServer } from '../../server/src/server.ts';
import { root } from '../run.mjs';

/** Port of the WebSocket by which the page hears of changes. */
const hotPort = Number(process.env.YAGURA_HMR_PORT ?? 24678);

const log = createLog(process.stderr, Date.now);
const web = join(root, 'web');
process.chdir(web);
const vite = await createServer({
  root: web,
  configFile: join(web, 'vite.config.ts'),
  appType: 'custom',
  server: { middlewareMode: true, hmr: { port: hotPort } },
});
const config = readConfig(['--data', join(root, 'data'), ...process.argv.slice(2)], process.env);
const server = await startServer({
  config,
  version,
  log,
  consoleSource: {
    load: () => vite.ssrLoadModule('virtual:remix/server-build'),
    middleware: vite.middlewares,
  },
});
process.stdout.write(`Yagura is ready at ${server.origin}\n`);
const { firstSignIn } = server;
if (firstSignIn)
  process.stdout.write(
    `Sign in as ${firstSignIn.email} with the password ${firstSignIn.password ?? 'you have set'}\n`,
  );

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (isStopping) process.exit(130);
    isStopping = true;
    await Promise.allSettled([server.close(), vite.close()]);
    process.exit(0);
  });
}
