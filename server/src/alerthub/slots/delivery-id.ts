// Reads from a message the value by which its sender identifies a delivery.
import { toText } from '@yagura/core/alerthub/engine/data/convert-values';
import { type DataPath, parsePath, readPath } from '@yagura/core/alerthub/engine/data/data-path';
import { messageView } from '@yagura/core/alerthub/engine/data/flow-data';
import { reason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { FlowError } from '@yagura/core/alerthub/engine/errors/flow-error';
import { MessageBody } from '../message-body/message-body.ts';

/** Maximum bytes of a body that is read on arrival; reading a larger one would delay other senders. */
const maxReadBytes = 256 << 10;
const maxKeyLength = 1024;

/** Parses a dotted path into the content or metadata of a message. Throws FlowError for anything else. */
export function parseDeliveryIdPath(text: string): DataPath {
  const path = parsePath(text);
  const [root, part, ...rest] = path.keys ?? [];
  if (root !== 'message' || (part !== 'content' && part !== 'metadata') || rest.length === 0)
    throw new FlowError('', reason('why.path.notReceived', { path: path.text }));
  return path;
}

/** Parsed paths by their text. */
const paths = new Map<string, DataPath>();
const maxPaths = 1000;

function pathOf(text: string): DataPath {
  const known = paths.get(text);
  if (known) return known;
  if (paths.size >= maxPaths) paths.clear();
  const path = parseDeliveryIdPath(text);
  paths.set(text, path);
  return path;
}

/** The value at the path; undefined if there is none, or if the body is too large to look. */
export function readDeliveryId(
  text: string,
  { body, headers, requestUrl }: { body: Buffer; headers: Record<string, string>; requestUrl: string },
): string | undefined {
  const path = pathOf(text);
  const isContent = path.keys?.[1] === 'content';
  if (isContent && body.length > maxReadBytes) return undefined;
  const parsed = isContent ? new MessageBody(body, headers) : undefined;
  // A compressed body may be many times larger than it was sent.
  if (parsed && parsed.text.length > maxReadBytes) return undefined;
  const message = messageView({
    receivedAt: '',
    receiveSlotId: '',
    receiveSlotKind: 'webhook',
    content: parsed ? { body: parsed.text } : {},
    metadata: { requestUrl, headers },
    ...(parsed ? { readData: () => parsed.readData() } : {}),
  });
  const value = toText(readPath({ message }, path));
  return value === undefined || value === '' || value.length > maxKeyLength ? undefined : `data ${value}`;
}
