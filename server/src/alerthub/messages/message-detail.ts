// Returns one message with its content; a large one is serialized in a worker thread, or truncated if the
// caller sets a limit.
import { invalidField, Problem } from '@yagura/core/http/problem';
import { ThreadJobError } from '../../common/thread-pool.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { readMessageBytes, readMessageChunks } from './message-bytes.ts';
import { parseContent } from './message-content.ts';
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
    const { content, metadata } = partsOf(rows[0]);
    const shown = isMail
      ? content
      : size > limit
        ? truncateBody(rows[0].body, limit)
        : parseContent(rows[0].body);
    return { version, item: { ...item, content: shown, metadata } };
  }
  const metadata = await loadMetadata(context, messageId);
  if (size > limit) {
    const start: Buffer[] = [];
    for await (const piece of readMessageChunks(database, spaceId, messageId, limit)) start.push(piece);
    return { version, item: { ...item, content: truncateBody(Buffer.concat(start), limit), metadata } };
  }
  const content = await largeMessages.run(async () =>
    encodeBody(context, await readMessageBytes(database, spaceId, messageId, size)),
  );
  const head = Buffer.from(`${JSON.stringify(item).slice(0, -1)},"content":`);
  const tail = Buffer.from(`,"metadata":${JSON.stringify(metadata)}}`);
  return { version, item, json: Buffer.concat([head, content, tail]) };
}

/** Query parameter `contentLimit`: bytes above which a body is truncated. */
function parseContentLimit({ query, t }: RequestContext): number {
  const given = query.contentLimit;
  if (given === undefined || given === '') return Number.POSITIVE_INFINITY;
  if (typeof given !== 'string' || !/^\d{1,9}$/.test(given))
    throw invalidField('contentLimit', t('rule.integer'));
  return Number(given);
}

function truncateBody(body: Buffer, limit: number) {
  // The cut may split a character.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, limit), {
    stream: true,
  });
  return { body: text, cut: ['body'] };
}

async function loadMetadata({ services }: RequestContext, messageId: string) {
  const { rows } = await services.database.query<Pick<MessageRow, 'request_url' | 'headers'>>(
    'select request_url, headers from message where message_id = $1',
    [messageId],
  );
  if (!rows[0]) throw new Problem('not-found');
  return partsOf({ ...rows[0], mail: null, body: Buffer.alloc(0) }).metadata;
}

async function encodeBody(
  { services }: RequestContext<MessageContentServices>,
  body: Buffer,
): Promise<Uint8Array> {
  try {
    return await services.threads.run('messageContent', { body }, { transfer: [body], timeoutMs: 30_000 });
  } catch (error) {
    if (!(error instanceof ThreadJobError)) throw error;
    throw new Problem('unavailable', { retryAfter: 2, cause: error });
  }
}
