// `api`: calls any API path with the session's credential.
import { problemOfReply } from '@yagura/core/http/transport';
import { choiceError, parseChoice } from '../command-line/parse-choice.ts';
import { readFileOrStdin } from '../command-line/read-file-or-stdin.ts';
import { formatJson } from '../command-line/select-fields.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { fetchReply } from '../http/fetch-reply.ts';
import { openSession } from '../signin/session.ts';
import { cleanText } from '../terminal/clean.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ApiOptions {
  input?: string;
  field?: string[];
  header?: string[];
  include?: boolean;
  paginate?: boolean;
  jq?: string;
}

export const apiMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Items requested per page with --paginate. */
const pageSize = 1000;

interface ApiReply {
  response: Response;
  text: string;
  /** Undefined if the body is not JSON. */
  data: unknown;
}

export async function callApi(
  terminal: Terminal,
  method: string,
  path: string,
  options: ApiOptions,
): Promise<void> {
  parseChoice('METHOD', method.toUpperCase(), apiMethods);
  // Only a path is accepted, so that the credential is sent only to the session's origin.
  if (!/^\/?[^\s\\/][^\s\\]*$/.test(path) || /^[a-z]+:/i.test(path))
    throw new UsageError('cli.usage.path', { path });
  const isRead = /^(GET|HEAD)$/i.test(method);
  rejectTogether(options, isRead);
  const fields = parseFields(options.field ?? []);
  const { transport } = openSession(terminal);
  const requestPath = withQuery(path.startsWith('/') ? path : `/${path}`, isRead ? fields : {});
  const body = await bodyOf(terminal, options, isRead ? {} : fields);
  const headers = {
    accept: 'application/json, application/problem+json, */*',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(requestPath.startsWith('/api/internal/') ? { 'x-requested-with': 'XMLHttpRequest' } : {}),
    ...(await transport.headers?.()),
    ...parseHeaders(options.header ?? []),
  };
  const init = {
    method: method.toUpperCase(),
    headers,
    body,
    signal: terminal.signal,
  } as const;
  const call = async (requested: string): Promise<ApiReply> => {
    const response = await fetchReply(transport, requested, init);
    const text = await response.text();
    return { response, text, data: parseJsonBody(response.headers.get('content-type'), text) };
  };
  const { response, text, data } = options.paginate
    ? await fetchPages(call, requestPath)
    : await call(requestPath);
  if (options.include) {
    const lines = [...response.headers.entries()].map(([name, value]) => `${name}: ${value}`);
    terminal.out.write(`${cleanText(`${response.status}\n${lines.join('\n')}`)}\n\n`);
  }
  const { isTTY } = terminal.out;
  if (data === undefined) terminal.out.write(isTTY ? `${cleanText(text)}\n` : text);
  else if (options.jq === undefined || !response.ok) terminal.out.write(formatJson(data, isTTY));
  else {
    const { writeFiltered } = await import('../resource/output/write-data.ts');
    await writeFiltered(terminal.out, data, options.jq);
  }
  // The body of an error response is written to stdout; its explanation goes to stderr.
  if (!response.ok) throw problemOfReply(transport, response, data ?? text, requestPath);
}

function rejectTogether({ input, field, paginate }: ApiOptions, isRead: boolean): void {
  if (input !== undefined && field) throw new UsageError('cli.usage.together', { flags: '--input, --field' });
  if (paginate && !isRead) throw choiceError('METHOD', ['GET']);
}

async function bodyOf(
  terminal: Terminal,
  { input }: ApiOptions,
  fields: Record<string, unknown>,
): Promise<string | undefined> {
  if (input !== undefined) return readFileOrStdin(input, terminal, '--input');
  return Object.keys(fields).length > 0 ? JSON.stringify(fields) : undefined;
}

/** Parses `name=value`; a value that is JSON, such as a number, true or a list, is sent as such. */
function parseFields(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError('cli.usage.pair', { flag: '--field', text: pair });
      const text = pair.slice(at + 1);
      return [pair.slice(0, at), parseJson(text) ?? (text === 'null' ? null : text)];
    }),
  );
}

function withQuery(path: string, values: Record<string, unknown>): string {
  const [before = '', ...rest] = path.split('?');
  const query = new URLSearchParams(rest.join('?'));
  for (const [name, value] of Object.entries(values))
    query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return query.size === 0 ? path : `${before}?${query}`;
}

/** Fetches a list to its end and joins the items of all pages; another reply is returned as it is. */
async function fetchPages(call: (path: string) => Promise<ApiReply>, path: string): Promise<ApiReply> {
  const query = new URLSearchParams(path.split('?').slice(1).join('?'));
  const limit = query.get('limit') ?? String(pageSize);
  const start = Number(query.get('offset') ?? '0');
  const items: unknown[] = [];
  for (;;) {
    const reply = await call(withQuery(path, { limit, offset: String(start + items.length) }));
    const page = reply.data as { items?: unknown[]; total?: number } | undefined;
    if (!reply.response.ok || !Array.isArray(page?.items)) return reply;
    items.push(...page.items);
    if (page.items.length === 0 || start + items.length >= (page.total ?? 0))
      return { ...reply, data: { ...page, offset: start, items } };
  }
}

/** Parses `Name=value` or `Name: value`. */
export function parseHeaders(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const found = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128})\s*[=:]\s*([^\r\n\0]*)$/.exec(pair);
      if (!found) throw new UsageError('cli.usage.pair', { flag: '--header', text: pair });
      return [found[1]!.toLowerCase(), found[2]!];
    }),
  );
}

function parseJsonBody(contentType: string | null, text: string): unknown {
  return /\bjson\b/.test(contentType ?? '') ? parseJson(text) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
