// Returns one message with its content; a large one is serialized in a worker thread, or truncated if the
// caller sets a limit.
import { invalidField, Problem } from '@yagura/core/http/problem';
import { ThreadJobError } from '../../common/thread-pool.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { MessageBody } from '../message-body/message-body.ts';
import { readMessageBytes, readMessageChunks } from './message-bytes.ts';
import { encodeContent } from './message-content.ts';
import { type MessageRow, messageColumns, partsOf } from './message-row.ts';
import type { MessageContentServices } from './message-services.ts';

/** Maximum bytes of a message serialized in this thread; larger ones go to a worker thread. */
const maxInlineBytes = 256 * 1024;

export async function presentMessage(
  context: RequestContext<MessageContentServices>,
  { item, version }: StoredItem,
): Promise<StoredItem> {
  const { services, spaceId } = context;
  const { database, largeMessages } = services;
  const size = Number(item.size);
  const limit = parseContentLimit(context);
  const isMail = item.receiveSlotKind === 'email';
  const messageId = String(item.messageId);
  if (isMail || size <= maxInlineBytes) {
    const { rows } = await database.query<MessageRow>(
      `select ${messageColumns} from message m where m.message_id = $1`,
      [messageId],
    );
    if (!rows[0]) throw new Problem('not-found');
    const { body, headers } = rows[0];
    const { content, metadata } = partsOf(rows[0]);
    if (isMail) return { version, item: { ...item, content, metadata } };
    if (size > limit)
      return { version, item: { ...item, content: truncateBody(body, headers, limit), metadata } };
    return { version, item, json: serialize(item, encodeContent(body, headers, context.t), metadata) };
  }
  const { metadata, headers } = await loadMetadata(context, messageId);
  if (size > limit) {
    const start: Buffer[] = [];
    for await (const piece of readMessageChunks(database, spaceId, messageId, limit)) start.push(piece);
    const content = truncateBody(Buffer.concat(start), headers, limit);
    return { version, item: { ...item, content, metadata } };
  }
  const content = await largeMessages.run(spaceId, async () =>
    encodeBody(context, await readMessageBytes(database, spaceId, messageId, size), headers),
  );
  return { version, item, json: serialize(item, content, metadata) };
}

/** Joins the parts of the reply, of which the content is serialized already. */
function serialize(item: StoredItem['item'], content: Uint8Array, metadata: unknown): Buffer {
  const head = Buffer.from(`${JSON.stringify(item).slice(0, -1)},"content":`);
  return Buffer.concat([head, content, Buffer.from(`,"metadata":${JSON.stringify(metadata)}}`)]);
}

/** Query parameter `contentLimit`: bytes above which a body is truncated. */
function parseContentLimit({ query, t }: RequestContext): number {
  const given = query.contentLimit;
  if (given === undefined || given === '') return Number.POSITIVE_INFINITY;
  if (typeof given !== 'string' || !/^\d{1,9}$/.test(given))
    throw invalidField('contentLimit', t('rule.integer'));
  return Number(given);
}

function truncateBody(body: Buffer, headers: Record<string, string>, limit: number) {
  return { body: new MessageBody(body.subarray(0, limit), headers, { isCut: true }).text, cut: ['body'] };
}

async function loadMetadata({ services }: RequestContext, messageId: string) {
  const { rows } = await services.database.query<Pick<MessageRow, 'request_url' | 'headers'>>(
    'select request_url, headers from message where message_id = $1',
    [messageId],
  );
  if (!rows[0]) throw new Problem('not-found');
  const { headers } = rows[0];
  return { headers, metadata: partsOf({ ...rows[0], mail: null, body: Buffer.alloc(0) }).metadata };
}

async function encodeBody(
  { services, spaceId, language }: RequestContext<MessageContentServices>,
  body: Buffer,
  headers: Record<string, string>,
): Promise<Uint8Array> {
  const input = { body, headers, language };
  try {
    const options = { space: spaceId, transfer: [body], timeoutMs: 30_000 };
    return await services.threads.run('messageContent', input, options);
  } catch (error) {
    if (!(error instanceof ThreadJobError)) throw error;
    throw new Problem('unavailable', { retryAfter: 2, cause: error });
  }
}
