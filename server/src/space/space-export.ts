// Exports a space as JSON lines, each item as the API shows it to a privileged user. Contains secrets within
// settings alone.
import { Readable } from 'node:stream';
import { resources } from '@yagura/core/all';
import { type AnyResource, fillPath } from '@yagura/core/resource/define-resource';
import { space } from '@yagura/core/space/space';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiServices } from '../api/create-request-context.ts';
import { serveFixedRaw } from '../api/serve-fixed.ts';
import { changeOf } from '../resource/item-operations.ts';

const pageSize = 500;
type Item = Record<string, unknown>;

export function serveSpaceExport(app: FastifyInstance, services: ApiServices): void {
  serveFixedRaw(app, services, 'space-export', async (context, request, reply) => {
    await services.audit.record(changeOf(context, space, 'export', { id: context.spaceId }));
    const day = new Date(services.clock.now()).toISOString().slice(0, 10);
    return reply
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', `attachment; filename="space-${day}.ndjson"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(lines(app, request)));
  });
}

/** Console-only calls repeat what others list; only data that no other call returns is taken from them. */
async function* lines(app: FastifyInstance, request: FastifyRequest): AsyncGenerator<string> {
  const get = async (path: string): Promise<Item | null> => {
    const reply = await app.inject({
      method: 'GET',
      url: path,
      remoteAddress: request.ip,
      headers: {
        authorization: request.headers.authorization ?? '',
        'x-requested-with': 'XMLHttpRequest',
      },
    });
    // Skip items deleted meanwhile.
    if (reply.statusCode === 404) return null;
    if (reply.statusCode !== 200) throw new Error(`The export stopped at ${path}: ${reply.statusCode}`);
    return reply.json<Item>();
  };
  const line = (resource: AnyResource, place: Record<string, string>, item: Item) =>
    `${JSON.stringify({ resource: resource.name, ...(Object.keys(place).length > 0 ? { place } : {}), item })}\n`;

  for (const resource of resources) {
    if (resource.singleton && resource.verbs.includes('show') && !/\{/.test(resource.path)) {
      const item = await get(resource.path);
      if (item) yield line(resource, {}, item);
    }
    if (!resource.verbs.includes('list')) continue;
    for await (const place of places(resource)) {
      for await (const item of items(fillPath(resource.path, place))) yield line(resource, place, item);
    }
  }

  async function* items(path: string): AsyncGenerator<Item> {
    for (let offset = 0; ; offset += pageSize) {
      const page = await get(`${path}?limit=${pageSize}&offset=${offset}`);
      const found = (page?.items ?? []) as Item[];
      yield* found;
      if (found.length < pageSize) return;
    }
  }

  /** All combinations of path parameters, from the ids of the parent items. */
  async function* places(resource: AnyResource): AsyncGenerator<Record<string, string>> {
    const wanted = [...resource.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    if (wanted.length === 0) return yield {};
    const above = resources.find((one) => one.name === resource.parent);
    if (!above?.verbs.includes('list') || !wanted.includes(above.id)) return;
    for await (const place of places(above)) {
      for await (const item of items(fillPath(above.path, place))) {
        const filled = { ...place, [above.id]: String(item[above.id]) };
        if (wanted.every((name) => name in filled)) yield filled;
      }
    }
  }
}
