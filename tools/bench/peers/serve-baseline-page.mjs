// A process of its own that serves a built Remix page over plain HTTP: node serve-bare.mjs <build folder> <rows as JSON>.
// Prints its address once it listens.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { createRequestHandler } = createRequire(new URL('../../../web/package.json', import.meta.url))(
  '@remix-run/node',
);

const [folder, rows] = process.argv.slice(2);
const build = await import(pathToFileURL(join(folder, 'server', 'index.js')).href);
const handle = createRequestHandler(build, 'production');
const context = { rows: JSON.parse(rows) };

const server = createServer(async (req, res) => {
  const reply = await handle(new Request(`http://localhost${req.url}`), context);
  const body = Buffer.from(await reply.arrayBuffer());
  res.writeHead(reply.status, { ...Object.fromEntries(reply.headers), 'content-length': body.length });
  res.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
