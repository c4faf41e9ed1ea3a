// Fixture of the page walk: the demo data on its own server with content for every page, and a user who may
// see everything.

import { buildDataset } from '@yagura/fixtures/datasets/datasets';
import { type ServerProcess, startServer } from '@yagura/fixtures/testbed/server-process';
import { type HttpUser, idsIn, signIn } from './http-user.ts';
import { test as base } from './product-fixture.ts';
import { seedDemo } from './seed-demo.ts';
import { createParamFinder, fillPattern, listSiteUrls, type SiteUrl } from './site-urls.ts';

/** A page and its URL path. */
export interface PageStop extends SiteUrl {
  path: string;
}

interface DemoSite extends ServerProcess {
  stops: PageStop[];
  /** Pages without content in the demo. */
  gaps: string[];
  /** The first user, who is privileged. */
  administrator: HttpUser;
}

export const test = base.extend<object, { demo: DemoSite }>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters of a fixture from its pattern
    async ({}, use) => {
      const server = await startServer({
        env: {
          YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8',
          YAGURA_PIGEON_LINE: 'simulator',
          YAGURA_DEVELOPER_MODE: 'on',
        },
      });
      const administrator = await signIn(server, server.adminEmail, server.adminPassword);
      await buildDataset(server, 'demo');
      await seedDemo(server);
      await use({ ...server, administrator, ...(await findStops(server, administrator)) });
      await administrator.close();
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/** Restricts the walk to pages below this path during development. */
const onlyBelow = process.env.YAGURA_WALK_BELOW ?? '';

async function findStops(server: ServerProcess, first: HttpUser): Promise<Pick<DemoSite, 'stops' | 'gaps'>> {
  const headers = () => ({ 'x-authorization': `Token ${server.token}` });
  const findParams = createParamFinder({ fetch, origin: server.origin, headers }, async (screen) =>
    idsIn(await (await first.get(screen, 'en')).text(), screen),
  );
  const stops: PageStop[] = [];
  const gaps: string[] = [];
  for (const site of listSiteUrls().filter(({ pattern }) => pattern.startsWith(onlyBelow))) {
    try {
      stops.push({ ...site, path: fillPattern(site.pattern, await findParams(site.pattern)) });
    } catch (error) {
      gaps.push(String(error));
    }
  }
  return { stops, gaps };
}
