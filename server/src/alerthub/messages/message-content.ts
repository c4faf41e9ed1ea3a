// What a message that is no mail says, as its page and the API show it: the text, and the data when the text is JSON.
import { parseJson } from '@yagura/core/http/exact-json';
import { maxDepth } from '../../resource/nesting-depth.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function parseContent(bytes: Uint8Array): { body: string; data?: unknown } {
  const body = decoder.decode(bytes);
  const data = tryParseJson(body);
  return data === undefined ? { body } : { body, data };
}

/** The same as JSON; the data is the text itself, which nobody has to print again. */
export function encodeContent(bytes: Uint8Array): Uint8Array {
  const body = decoder.decode(bytes);
  const quoted = JSON.stringify(body);
  return Buffer.from(
    tryParseJson(body) === undefined ? `{"body":${quoted}}` : `{"body":${quoted},"data":${body}}`,
  );
}

/** The data of a text; undefined when it is no JSON, or nested too deeply to be handed on. */
function tryParseJson(text: string): unknown {
  try {
    return parseJson(text, { maxDepth: maxDepth });
  } catch {
    return undefined;
  }
}
