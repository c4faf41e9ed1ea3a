// Content of a message other than a mail as the page and the API show it: the text, and the parsed data if it
// is JSON.
import { parseJson } from '@yagura/core/http/exact-json';
import { maxDepth } from '../../http/input/nesting-depth.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function parseContent(bytes: Uint8Array): { body: string; data?: unknown } {
  const body = decoder.decode(bytes);
  const data = tryParseJson(body);
  return data === undefined ? { body } : { body, data };
}

/** The same serialized as JSON; the data is inserted as it is, without serializing it again. */
export function encodeContent(bytes: Uint8Array): Uint8Array {
  const body = decoder.decode(bytes);
  const quoted = JSON.stringify(body);
  return Buffer.from(
    tryParseJson(body) === undefined ? `{"body":${quoted}}` : `{"body":${quoted},"data":${body}}`,
  );
}

/** Parses JSON; undefined if it is invalid or nested too deeply. */
function tryParseJson(text: string): unknown {
  try {
    return parseJson(text, { maxDepth: maxDepth });
  } catch {
    return undefined;
  }
}
