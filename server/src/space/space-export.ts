// Exports a space as JSON lines, each item as the API shows it to a privileged user. Contains secrets within
// settings alone.
import { Readable } from 'node:stream';
import { resources } from '@yagura/core/all';
import { fetchAllPages, type Page, pageCountPreference, timeOrder } from '@yagura/core/http/page';
import { urlOf } from '@yagura/core/http/transport';
import { mockPhone } from '@yagura/core/pigeon/mock-phone';
import { type AnyResource, fillPath } from '@yagura/core/resource/define-resource';
import { space } from '@yagura/core/space/space';
import type { FastifyInstance } from 'fastify';
import type { ApiServices } from '../api/create-request-context.ts';
import { actFor } from '../api/own-requests.ts';
import { serveFixedRaw } from '../api/serve-fixed.ts';
import { errorFields } from '../common/log.ts';
import { changeOf } from '../resource/item-operations.ts';
import type { RequestContext } from '../resource/request-context.ts';

const pageSize = 500;
type Item = Record<string, unknown>;

interface ExportServices extends ApiServices {
  config: { developerMode: boolean };
}

export function serveSpaceExport(app: FastifyInstance, services: ExportServices): void {
  serveFixedRaw(app, services, 'space-export', async (context, _request, reply) => {
    await services.audit.record(changeOf(context, space, 'export', { id: context.spaceId }));
    const day = new Date(services.clock.now()).toISOString().slice(0, 10);
    return reply
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', `attachment; filename="space-${day}.ndjson"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(exportFor(app, services, context)));
  });
}

async function* exportFor(
  app: FastifyInstance,
  services: ExportServices,
  { principal, from }: Pick<RequestContext, 'principal' | 'from'>,
): AsyncGenerator<string> {
  // A large space takes longer to download than an access token is valid.
  const acting = actFor(principal);
  try {
    yield* lines(app, services, { remoteAddress: from.address, headers: acting.headers });
  } catch (error) {
    // The reply has begun: the reader gets half a file, and only the log can say why.
    services.log({ level: 'error', message: 'the export of the space broke off', ...errorFields(error) });
    throw error;
  } finally {
    acting.end();
  }
}

/** Console-only calls repeat what others list; only data that no other call returns is taken from them. */
async function* lines(
  app: FastifyInstance,
  { config }: ExportServices,
  { remoteAddress, headers }: { remoteAddress: string; headers: Record<string, string> },
): AsyncGenerator<string> {
  const get = async <T>(path: string): Promise<T | null> => {
    const reply = await app.inject({
      method: 'GET',
      url: path,
      remoteAddress,
      headers: { ...headers, 'x-requested-with': 'XMLHttpRequest', prefer: pageCountPreference },
    });
    // Skip items deleted meanwhile.
    if (reply.statusCode === 404) return null;
    if (reply.statusCode !== 200) throw new Error(`The export stopped at ${path}: ${reply.statusCode}`);
    return reply.json<T>();
  };
  const line = (resource: AnyResource, place: Record<string, string>, item: Item) =>
    `${JSON.stringify({ resource: resource.name, ...(Object.keys(place).length > 0 ? { place } : {}), item })}\n`;

  // The server refuses it to everyone unless it is in developer mode.
  const exported = resources.filter((resource) => resource.name !== mockPhone.name || config.developerMode);
  for (const resource of exported) {
    if (resource.singleton && resource.verbs.includes('show') && !/\{/.test(resource.path)) {
      const item = await get<Item>(resource.path);
      if (item) yield line(resource, {}, item);
    }
    if (!resource.verbs.includes('list')) continue;
    for await (const place of places(resource)) {
      for await (const item of items(resource, place)) yield line(resource, place, item);
    }
  }

  /** Every item once, although lists change meanwhile and messages are too many to skip those of earlier pages. */
  function items(resource: AnyResource, place: Record<string, string>): AsyncGenerator<Item> {
    const path = fillPath(resource.path, place);
    return fetchAllPages(
      async ({ countsAll: _, ...query }) =>
        (await get<Page<Item>>(urlOf({ path, query }))) ?? {
          items: [],
          total: 0,
          limit: pageSize,
          offset: 0,
        },
      { limit: pageSize },
      (item) => item[resource.id],
      timeOrder<Item>(resource),
    );
  }

  /** All combinations of path parameters, from the ids of the parent items. */
  async function* places(resource: AnyResource): AsyncGenerator<Record<string, string>> {
    const wanted = [...resource.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    if (wanted.length === 0) return yield {};
    const above = resources.find((one) => one.name === resource.parent);
    if (!above?.verbs.includes('list') || !wanted.includes(above.id)) return;
    for await (const place of places(above)) {
      for await (const item of items(above, place)) {
        const filled = { ...place, [above.id]: String(item[above.id]) };
        if (wanted.every((name) => name in filled)) yield filled;
      }
    }
  }
}
