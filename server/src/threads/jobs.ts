// What threads of the pool do; each job takes and gives plain data.
import { all } from '@yagura/core/all';
import { fixedCalls } from '@yagura/core/http/fixed-calls';
import { Problem, type ProblemBody } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/words/dictionary';
import type { Language } from '@yagura/core/words/translate';
import type { z } from 'zod';
import { htmlPage } from '../alerthub/mail/html-page.ts';
import { readAttachment, readPictures } from '../alerthub/mail/read-mail.ts';
import { contentText } from '../alerthub/message-content.ts';
import type { BodyRule, SchemaKey } from '../http/body-rule.ts';
import { checkBody, readJson } from '../http/read-json.ts';

interface BodyJob {
  bytes: Uint8Array;
  rule: Omit<BodyRule, 'schema'>;
  schema: { key: SchemaKey; isPartial: boolean } | undefined;
  language: Language;
}

const jobs = {
  /** Reads the body of a request, and checks it where a schema is named. */
  async body({ bytes, rule, schema, language }: BodyJob): Promise<{ body?: unknown; problem?: ProblemBody }> {
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
  /** The HTML of a mail as a page; `raw` is the whole mail where the page may show pictures of it. */
  async mailPage({ html, raw }: { html: string; raw: Uint8Array | undefined }): Promise<string> {
    const pictures = raw && readPictures(bufferOf(raw));
    return htmlPage(html, (contentId) => pictures?.get(contentId));
  },
  async mailAttachment({ raw, index }: { raw: Uint8Array; index: number }) {
    return readAttachment(bufferOf(raw), index);
  },
  /** The content of a message that is no mail, as the JSON that a reply carries. */
  async messageContent({ body }: { body: Uint8Array }): Promise<Uint8Array> {
    return contentText(body);
  },
};

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type JobInput<N extends JobName> = Parameters<Jobs[N]>[0];
export type JobOutput<N extends JobName> = Awaited<ReturnType<Jobs[N]>>;
export interface JobReply<N extends JobName> {
  output: JobOutput<N>;
}

/** Called by the pool. */
export default async function run<N extends JobName>(task: {
  name: N;
  input: JobInput<N>;
}): Promise<JobReply<N>> {
  const job = jobs[task.name] as (input: JobInput<N>) => Promise<JobOutput<N>>;
  return { output: await job(task.input) };
}

function schemaOf(key: SchemaKey): z.ZodType {
  const found = key.resource === undefined ? fixedCalls[key.fixed] : callOf(key.resource, key.call);
  const schema = 'body' in found ? found.body : undefined;
  if (!schema) throw new Error(`no schema is at ${JSON.stringify(key)}`);
  return schema;
}

function callOf(name: string, call: string | undefined): { body?: z.ZodType | undefined } {
  const resource = all.find((one) => one.name === name)!;
  return call === undefined ? { body: resource.input } : resource.calls[call]!;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
