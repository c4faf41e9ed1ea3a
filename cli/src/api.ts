// `api`: calls any API path with the session's credential.
import { Problem, problemFromReply } from '@yagura/core/http/problem';
import type { Fetch } from '@yagura/core/http/transport';
import { readFileOrStdin } from './command-line/read-file-or-stdin.ts';
import { formatJson } from './command-line/select-fields.ts';
import { UsageError } from './command-line/usage-error.ts';
import { openSession } from './signin/session.ts';
import { cleanText } from './terminal/clean.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface ApiOptions {
  input?: string;
  header?: string[];
  include?: boolean;
}

export async function callApi(
  terminal: Terminal,
  method: string,
  path: string,
  options: ApiOptions,
): Promise<void> {
  if (!/^(GET|HEAD|POST|PUT|PATCH|DELETE)$/i.test(method)) {
    throw new UsageError('cli.usage.choice', {
      flag: 'METHOD',
      values: 'GET, HEAD, POST, PUT, PATCH, DELETE',
    });
  }
  // Only a path is accepted, so that the credential is sent only to the session's origin.
  if (!/^\/?(?!\/)[^\s\\]*$/.test(path) || /^[a-z]+:/i.test(path))
    throw new UsageError('cli.usage.path', { path });
  const { transport, origin } = openSession(terminal);
  const body =
    options.input === undefined ? undefined : await readFileOrStdin(options.input, terminal, '--input');
  const requestPath = path.startsWith('/') ? path : `/${path}`;
  const response = await fetchOrThrow(transport.fetch, origin + requestPath, {
    method: method.toUpperCase(),
    headers: {
      accept: 'application/json, application/problem+json, */*',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(requestPath.startsWith('/api/internal/') ? { 'x-requested-with': 'XMLHttpRequest' } : {}),
      ...(await transport.headers?.()),
      ...parseHeaders(options.header ?? []),
    },
    body,
    signal: terminal.signal,
    redirect: 'error',
  });
  const text = await response.text();
  const data = parseJsonBody(response.headers.get('content-type'), text);
  if (options.include) {
    const lines = [...response.headers.entries()].map(([name, value]) => `${name}: ${value}`);
    terminal.out.write(`${cleanText(`${response.status}\n${lines.join('\n')}`)}\n\n`);
  }
  if (data !== undefined) terminal.out.write(formatJson(data, terminal.out.isTTY));
  else terminal.out.write(terminal.out.isTTY ? `${cleanText(text)}\n` : text);
  // The body of an error response is written to stdout; its explanation goes to stderr.
  if (!response.ok) throw problemFromReply(response.status, data ?? text, { instance: requestPath });
}

async function fetchOrThrow(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted || cause instanceof Problem) throw cause;
    throw new Problem('unreachable', {
      detail: (cause as NodeJS.ErrnoException).code ?? String(cause),
      cause,
    });
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
  if (!/\bjson\b/.test(contentType ?? '') || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
