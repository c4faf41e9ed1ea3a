// HTTP server with two items of every resource, with long, wide and hostile texts generated from metadata.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FieldMeta } from '@yagura/core/resource/field';
import { expandPath, pathParameters } from '@yagura/core/resource/path';
import type { Fields, ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { Row } from '../src/resource/meta/row.ts';
import { id } from './derived-commands.ts';

export interface ReceivedRequest {
  method: string;
  /** Path without its query. */
  path: string;
  query: Record<string, string>;
  body: unknown;
}

export interface SampleSpace {
  origin: string;
  /** Sets the resource that has two items; other lists are empty. */
  serve(meta: ResourceMeta): void;
  /** Called for every request; a returned promise delays the response. */
  onRequest: (asked: ReceivedRequest) => void | Promise<void>;
  stop(): Promise<void>;
}

const hostile = '\x1b[31m監視対象の長い名前で、四十桁にはとても収まりません\x07\tand a tab\u009b1m';

export async function startSampleSpace(): Promise<SampleSpace> {
  let answers = new Map<string, unknown>();
  const server: Server = createServer(async (request, response) => {
    const asked = await read(request);
    await space.onRequest(asked);
    if (response.destroyed) return;
    const answer = answers.get(`${asked.method} ${asked.path}`) ?? { items: [], total: 0 };
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end(asked.method === 'DELETE' ? '' : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const space: SampleSpace = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(meta) {
      answers = buildAnswers(meta);
    },
    onRequest: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return space;
}

async function read(request: IncomingMessage): Promise<ReceivedRequest> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const url = new URL(request.url!, 'http://space');
  return {
    method: request.method!,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function buildAnswers(meta: ResourceMeta): Map<string, unknown> {
  const row = { ...sampleRow(meta.fields), [meta.id]: id };
  const page = (items: Row[]) => ({ items, total: items.length, limit: 30, offset: 0 });
  const answers = new Map<string, unknown>([
    [`POST ${fillWithId(meta.path)}`, row],
    [`PUT ${fillWithId(meta.itemPath)}`, row],
    [`PATCH ${fillWithId(meta.itemPath)}`, row],
    [`GET ${fillWithId(meta.path)}`, page([row, row])],
    [
      `GET ${fillWithId(meta.itemPath)}`,
      meta.singleton || meta.itemPath !== meta.path ? row : page([row, row]),
    ],
  ]);
  for (const call of Object.values(meta.calls)) {
    const path = fillWithId((call.on === 'item' ? meta.itemPath : meta.path) + call.path);
    const reply = sampleRow(call.reply ?? {});
    answers.set(`${call.method} ${path}`, call.paged ? page([reply, reply]) : reply);
  }
  return answers;
}

/** Fills every parameter of a path with the same id. */
export function fillWithId(path: string): string {
  return expandPath(path, Object.fromEntries(pathParameters(path).map((name) => [name, id])));
}

export function sampleRow(fields: Fields): Row {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sampleOf(field, fields)]));
}

function sampleOf(field: FieldMeta, around: Fields): unknown {
  if (field.by) return sampleRow(field.variants?.[around[field.by]?.options?.[0] ?? ''] ?? {});
  if (field.options) return field.options[0];
  if (field.fields) return sampleRow(field.fields);
  const plain: Record<FieldMeta['kind'], unknown> = {
    id,
    reference: id,
    text: hostile,
    'long-text': `${hostile}\n${hostile}`,
    template: `${hostile}\n`,
    secret: hostile,
    choice: hostile,
    email: `${'a'.repeat(50)}@example.invalid`,
    url: `https://example.invalid/${'b'.repeat(60)}`,
    integer: 1_234_567_890,
    number: 12_345.678,
    seconds: 98_765,
    bytes: 9_876_543_210,
    boolean: true,
    date: '2027-01-31',
    'date-time': '2027-01-01T00:00:00.000Z',
    list: field.item ? [sampleOf(field.item, {}), sampleOf(field.item, {})] : [],
    'key-values': { [hostile]: hostile },
    object: { [hostile]: { deep: [hostile] } },
    variant: {},
    rrule: 'FREQ=DAILY;BYHOUR=9',
    'time-zone': 'Asia/Tokyo',
    json: { [hostile]: [hostile, 1, null] },
  };
  return plain[field.kind];
}
