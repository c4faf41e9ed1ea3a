// A static document, rendered and compressed once and served with an ETag.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from '../web-console/compress-response.ts';

const compress = promisify(gzip);

interface CompressedContent {
  plain: Buffer;
  zipped: Buffer;
  etag: string;
}

export class CompressedDocument {
  private readonly type: string;
  private readonly render: () => string;
  private content: Promise<CompressedContent> | undefined;

  /** `write` is called on the first request. */
  constructor(type: string, write: () => string) {
    this.type = type;
    this.render = write;
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.content ??= this.buildContent();
    const { plain, zipped, etag } = await this.content;
    reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': 'public, no-cache' });
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    reply.type(this.type);
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(plain);
    return reply.header('content-encoding', 'gzip').send(zipped);
  }

  private async buildContent(): Promise<CompressedContent> {
    const plain = Buffer.from(this.render());
    const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    return { plain, zipped: await compress(plain, { level: 9 }), etag: `W/"${digest}"` };
  }
}

/** Whether If-None-Match matches the ETag (RFC 9110 section 13.1.2). */
function matchesEtag(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    (header === '*' || header.split(',').some((one) => weakTag(one) === weakTag(etag)))
  );
}

const weakTag = (tag: string) => tag.trim().replace(/^W\//, '');
