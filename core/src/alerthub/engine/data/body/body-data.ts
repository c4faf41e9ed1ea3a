// Reads the data of a message from its text, by content type: JSON, a form, lines of JSON, or XML.

import { JsonError, JsonTooLargeError } from '../../../../http/exact-json.ts';
import type { Reason } from '../../../decision-log.ts';
import { reason } from '../../errors/decision-reason.ts';
import { parseFormFields } from './form-fields.ts';
import { parseJsonData } from './json-data.ts';
import { UnreadableBodyError } from './unreadable-body-error.ts';
import { parseXml } from './xml-tree.ts';

/** What was read from a body: data, or the reason why there is none; neither for plain text. */
export interface BodyData {
  data?: unknown;
  error?: Reason;
}

/** Maximum length in characters of a text that is parsed. */
export const maxBodyLength = 10_485_760;

/** Maximum lines of a body that has JSON in each. */
const maxLines = 50_000;

type BodyKind = 'json' | 'form' | 'json-lines' | 'xml' | 'text';

const kindsByType: Record<string, BodyKind> = {
  'application/json': 'json',
  'text/json': 'json',
  'application/x-www-form-urlencoded': 'form',
  'application/x-ndjson': 'json-lines',
  'application/ndjson': 'json-lines',
  'application/jsonl': 'json-lines',
  'application/x-jsonlines': 'json-lines',
  'application/jsonlines': 'json-lines',
  'application/json-seq': 'json-lines',
  'application/xml': 'xml',
  'text/xml': 'xml',
};

/** Reads the data of a text; a body that is not what its content type says has an error instead. */
export function readBodyData(body: unknown, contentType: string): BodyData {
  if (typeof body !== 'string') return {};
  const text = body.charCodeAt(0) === 0xfeff ? body.slice(1) : body;
  if (text.trim() === '') return {};
  if (text.length > maxBodyLength) return { error: reason('why.data.tooLong', { most: maxBodyLength }) };
  const kind = kindOf(contentType);
  // Many senders, such as curl, send JSON under another type.
  try {
    if (kind === 'text' || kind === 'form') {
      const found = findData(text);
      if (found !== undefined) return { data: found };
      if (kind === 'text') return {};
    }
    return { data: parsers[kind](text) };
  } catch (error) {
    if (error instanceof UnreadableBodyError) return { error: error.reason };
    if (error instanceof JsonError) return { error: reason('why.data.json', { detail: error.fault }) };
    throw error;
  }
}

const parsers: Record<Exclude<BodyKind, 'text'>, (text: string) => unknown> = {
  json: (text) => parseJsonData(text),
  form: (text) => parseFormFields(text),
  'json-lines': parseJsonLines,
  xml: parseXml,
};

function kindOf(contentType: string): BodyKind {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (Object.hasOwn(kindsByType, type)) return kindsByType[type]!;
  if (type.endsWith('+json')) return 'json';
  return type.endsWith('+xml') ? 'xml' : 'text';
}

/** Data of a text whose content type does not announce any. Throws JsonTooLargeError for JSON over a limit. */
function findData(text: string): unknown {
  try {
    return text.trimStart().startsWith('<?xml') ? parseXml(text) : parseJsonData(text);
  } catch (error) {
    if (error instanceof JsonTooLargeError) throw error;
    if (error instanceof JsonError || error instanceof UnreadableBodyError) return undefined;
    throw error;
  }
}

function parseJsonLines(text: string): unknown[] {
  const values: unknown[] = [];
  const counter = { values: 0 };
  for (const [index, line] of text.split('\n', maxLines + 1).entries()) {
    // A sequence (RFC 7464) begins each text with a record separator.
    const json = line.replace(/^\x1e/, '').trim();
    if (index >= maxLines) throw new UnreadableBodyError(reason('why.data.lines', { most: maxLines }));
    if (json === '') continue;
    try {
      values.push(parseJsonData(json, counter));
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw new UnreadableBodyError(reason('why.data.line', { line: index + 1, detail: error.fault }));
    }
  }
  return values;
}
