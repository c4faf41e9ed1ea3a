// Renders the OpenAPI document as one HTML page without scripts.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { CompressedDocument } from './compressed-document.ts';

type Json = Record<string, unknown>;
interface Operation {
  summary: string;
  description?: string;
  operationId: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema: Json }> }>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Serves the document as JSON and as a page. Both are rendered on the first request, since this takes a
 * fraction of a second.
 */
export function serveDocs(app: FastifyInstance, write: () => Json): void {
  const json = new CompressedDocument('application/json; charset=utf-8', () =>
    JSON.stringify(write(), null, 2),
  );
  const page = new CompressedDocument('text/html; charset=utf-8', () => render(write()));
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`;
  app.get('/docs/api/openapi.json', (request, reply) => json.send(request, reply));
  app.get('/docs/api', (request, reply) => {
    reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'same-origin' });
    return page.send(request, reply);
  });
}

function render(document: Json): string {
  const info = document.info as { title: string; version: string };
  const paths = document.paths as Record<string, Record<string, Operation & { tags: string[] }>>;
  const tags = (document.tags as { name: string }[]).map((tag) => tag.name);
  const sections = tags.map((tag) => {
    const rows = Object.entries(paths).flatMap(([path, entry]) =>
      methods
        .filter((method) => entry[method]?.tags.includes(tag))
        .map((method) => renderOperation(path, method, entry[method]!)),
    );
    return `<section><h2 id="${tag}">${tag}</h2>${rows.join('')}</section>`;
  });
  const links = tags.map((tag) => `<a href="#${tag}">${tag}</a>`).join(' ');
  const schemas = Object.entries((document.components as { schemas: Json }).schemas).map(
    ([name, schema]) =>
      `<details id="schema-${name}"><summary>${name}</summary><pre>${pretty(schema)}</pre></details>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${info.version}</title><style>${style}</style></head><body><header><h1>${info.title} <small>${info.version}</small></h1>
<nav aria-label="Apps">${links} <a href="#schemas">schemas</a> <a href="/docs/api/openapi.json">openapi.json</a></nav>
<p>Send <code>Authorization: Bearer …</code>, or <code>X-Authorization: Token …</code> with an API token. Lists take <code>limit</code>, <code>offset</code>,
<code>sort</code> and <code>filter</code>. Errors are problems (RFC 9457).</p></header><main>${sections.join('')}
<section><h2 id="schemas">schemas</h2>${schemas.join('')}</section></main></body></html>`;
}

function renderOperation(path: string, method: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, description }) => `<li><code>${escapeHtml(name)}</code> ${escapeHtml(description ?? '')}</li>`,
  );
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<li>body <code>${escapeHtml(type)}</code>: ${naming(schema)}</li>`,
  );
  const replies = Object.entries(operation.responses)
    .filter(([status]) => status !== 'default')
    .flatMap(([status, reply]) => {
      const content = Object.entries(reply.content ?? {});
      return content.length === 0
        ? [`<li>${status} ${escapeHtml(reply.description ?? '')}</li>`]
        : content.map(
            ([type, { schema }]) => `<li>${status} <code>${escapeHtml(type)}</code>: ${naming(schema)}</li>`,
          );
    });
  return `<details><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(operation.summary)}</span></summary>
<p>${escapeHtml(operation.description ?? '').replace(/`([^`]+)`/g, '<code>$1</code>')}</p><ul>${[...parameters, ...bodies, ...replies].join('')}</ul></details>`;
}

/** Renders a schema as a link by name, or inline. */
function naming(schema: Json): string {
  const items = (schema.properties as { items?: { items?: Json } } | undefined)?.items?.items;
  const name = nameOf(schema) ?? (items ? nameOf(items) : undefined);
  if (name) return `${items ? 'page of ' : ''}<a href="#schema-${name}">${name}</a>`;
  return `<pre>${pretty(schema)}</pre>`;
}

function nameOf(schema: Json): string | undefined {
  return typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
}

const pretty = (value: unknown) => escapeHtml(JSON.stringify(value, null, 2));
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const style = `:root{color-scheme:light dark;--p:#00876e;--l:#8884}body{font:14px/1.5 system-ui,sans-serif;margin:0 auto;max-width:1000px;padding:1rem}
h1 small{font-weight:400;opacity:.7}nav a{margin-right:.75rem}a{color:var(--p)}details{border-bottom:1px solid var(--l);padding:.35rem 0}summary{cursor:pointer}
summary b{display:inline-block;min-width:4.5em;color:var(--p)}summary b.delete{color:#c62828}summary span{opacity:.75;margin-left:.5rem}pre{overflow:auto;background:#8881;padding:.5rem}
@media (prefers-color-scheme:dark){:root{--p:#35c7a8}summary b.delete{color:#ff8a80}}`;
