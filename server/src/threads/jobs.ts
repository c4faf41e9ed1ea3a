// Jobs of the thread pool; each takes and returns plain data.
import { resources } from '@yagura/core/all';
import { Problem, type ProblemBody } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Language } from '@yagura/core/i18n/translator';
import { standaloneCalls } from '@yagura/core/standalone-calls';
import type { z } from 'zod';
import { renderHtmlPage } from '../alerthub/inbound-mail/html-page.ts';
import { extractAttachment, extractInlineImages } from '../alerthub/inbound-mail/parse-mail.ts';
import { encodeContent } from '../alerthub/messages/message-content.ts';
import type { BodyRule, SchemaKey } from '../http/body/body-rule.ts';
import { checkBody, readJson } from '../http/body/read-json.ts';

interface ReadBodyInput {
  bytes: Uint8Array;
  rule: Omit<BodyRule, 'schema'>;
  schema: { key: SchemaKey; isPartial: boolean } | undefined;
  language: Language;
}

interface MessageContentInput {
  body: Uint8Array;
  headers: Record<string, string>;
  language: Language;
}

const jobs = {
  /** Parses the body of a request, and validates it when a schema is given. */
  async body({
    bytes,
    rule,
    schema,
    language,
  }: ReadBodyInput): Promise<{ body?: unknown; problem?: ProblemBody }> {
    try {
      const body = readJson(bytes, rule);
      if (!schema) return { body };
      const t = await loadTranslator(language);
      return { body: checkBody(schemaOf(schema.key), body, schema.isPartial, t) };
    } catch (error) {
      if (error instanceof Problem) return { problem: error.toJSON() };
      throw error;
    }
  },
  /**
   * Renders the HTML of a mail as a page; `raw` is the whole mail when its embedded pictures may be shown.
   */
  async mailPage({ html, raw }: { html: string; raw: Uint8Array | undefined }): Promise<string> {
    const pictures = raw && extractInlineImages(bufferOf(raw));
    return renderHtmlPage(html, (contentId) => pictures?.get(contentId));
  },
  async mailAttachment({ raw, index }: { raw: Uint8Array; index: number }) {
    return extractAttachment(bufferOf(raw), index);
  },
  /** The content of a non-mail message, as JSON for a reply. */
  async messageContent({ body, headers, language }: MessageContentInput): Promise<Uint8Array> {
    return encodeContent(bufferOf(body), headers, await loadTranslator(language));
  },
};

type Jobs = typeof jobs;
export type ThreadJobName = keyof Jobs;
export type ThreadJobInput<N extends ThreadJobName> = Parameters<Jobs[N]>[0];
export type ThreadJobOutput<N extends ThreadJobName> = Awaited<ReturnType<Jobs[N]>>;
export interface ThreadJobReply<N extends ThreadJobName> {
  output: ThreadJobOutput<N>;
}

/** Entry point called by the pool. */
export default async function run<N extends ThreadJobName>(task: {
  name: N;
  input: ThreadJobInput<N>;
}): Promise<ThreadJobReply<N>> {
  const job = jobs[task.name] as (input: ThreadJobInput<N>) => Promise<ThreadJobOutput<N>>;
  return { output: await job(task.input) };
}

function schemaOf(key: SchemaKey): z.ZodType {
  const found = key.resource === undefined ? standaloneCalls[key.fixed] : callOf(key.resource, key.call);
  const schema = 'body' in found ? found.body : undefined;
  if (!schema) throw new Error(`no schema is at ${JSON.stringify(key)}`);
  return schema;
}

function callOf(name: string, call: string | undefined): { body?: z.ZodType | undefined } {
  const resource = resources.find((one) => one.name === name)!;
  return call === undefined ? { body: resource.input } : resource.calls[call]!;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
