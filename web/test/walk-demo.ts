// The ground that is walked: the demo on a server of its own, with something for every page, and somebody who may see it all.
import { type LabServer, startServer } from '@yagura/fixtures/lab/server';
import { buildDataset } from '@yagura/fixtures/world/named';
import { layRest } from './lay.ts';
import { idsIn, type Person, signIn } from './person.ts';
import { test as base } from './product.ts';
import { fillPattern, placeFinder, type Site, sites } from './site.ts';

/** A page, and where it is. */
export interface Stop extends Site {
  path: string;
}

interface Demo extends LabServer {
  stops: Stop[];
  /** Pages that there is nothing for. */
  gaps: string[];
  /** The first, privileged person. */
  first: Person;
}

export const test = base.extend<object, { demo: Demo }>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters of a fixture from its pattern
    async ({}, use) => {
      const server = await startServer({
        env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8', YAGURA_PIGEON_LINE: 'simulator' },
      });
      const first = await signIn(server, server.adminEmail, server.adminPassword);
      await buildDataset(server, 'demo');
      await layRest(server);
      await use({ ...server, first, ...(await findStops(server, first)) });
      await first.leave();
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/** Walks the pages below that path only, while one of them is worked on. */
const below = process.env.YAGURA_WALK_BELOW ?? '';

async function findStops(server: LabServer, first: Person): Promise<Pick<Demo, 'stops' | 'gaps'>> {
  const headers = () => ({ 'x-authorization': `Token ${server.token}` });
  const place = placeFinder({ fetch, origin: server.origin, headers }, async (screen) =>
    idsIn(await (await first.get(screen, 'en')).text(), screen),
  );
  const stops: Stop[] = [];
  const gaps: string[] = [];
  for (const site of sites().filter(({ pattern }) => pattern.startsWith(below))) {
    try {
      stops.push({ ...site, path: fillPattern(site.pattern, await place(site.pattern)) });
    } catch (error) {
      gaps.push(String(error));
    }
  }
  return { stops, gaps };
}
