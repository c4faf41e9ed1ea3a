// The usual way to a desktop in the browser as a peer: xfreerdp draws into an X server, which noVNC shows through websockify.
import { existsSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';

const load = (path) => tsImport(`../../../${path}`, import.meta.url);
const programs = { viewer: '/usr/bin/xfreerdp', relay: '/usr/bin/websockify', server: '/usr/bin/Xtigervnc' };
const pages = '/usr/share/novnc';

/** What is not installed, or undefined. */
export function whyNoNovnc() {
  const missing = [...Object.values(programs), `${pages}/vnc_lite.html`].find((path) => !existsSync(path));
  return missing && `${missing} is not installed`;
}

/** X server and websockify run before anybody connects, as those of a portal would. */
export async function startNovnc({ width, height }) {
  const { XServer } = await load('agent/test/sessions/x-server.ts');
  const { isListening } = await load('agent/test/sessions/real-desktop.ts');
  const { freePort } = await load('fixtures/src/testbed/free-port.ts');
  const server = new XServer('bench-novnc');
  try {
    const [vncPort, port] = [await freePort(), await freePort()];
    await server.open(
      ...['-rfbport', `${vncPort}`, '-localhost', '-geometry', `${width}x${height}`, '-depth', '24'],
      ...['-SecurityTypes', 'None'],
    );
    server.start(programs.relay, ['--web', pages, `127.0.0.1:${port}`, `127.0.0.1:${vncPort}`]);
    await isListening(port);
    return {
      url: `http://127.0.0.1:${port}/vnc_lite.html`,
      /** Connects to a desktop; returns what ends that. */
      connect(desktop) {
        const [domain, user] = desktop.account.username.split('\\');
        return server.start(programs.viewer, [
          ...[`/v:127.0.0.1:${desktop.port}`, `/d:${domain}`, `/u:${user}`, `/p:${desktop.account.password}`],
          ...[
            `/size:${width}x${height}`,
            `/sec:${desktop.security}`,
            '/cert:ignore',
            '-decorations',
            '/log-level:ERROR',
          ],
        ]);
      },
      close: server.close,
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
