// `api`: any call of the API, with the session's authorization.
import { Problem, problemFromReply } from '@yagura/core/http/problem';
import type { Fetch } from '@yagura/core/http/transport';
import { openSession } from './signin/session.ts';
import { cleanText } from './term/clean.ts';
import { jsonText } from './term/json.ts';
import { readSource } from './term/read-source.ts';
import type { Terminal } from './term/terminal.ts';
import { Usage } from './term/usage.ts';

export interface ApiOptions {
  input?: string;
  header?: string[];
  include?: boolean;
}

export async function api(
  terminal: Terminal,
  method: string,
  path: string,
  options: ApiOptions,
): Promise<void> {
  if (!/^(GET|HEAD|POST|PUT|PATCH|DELETE)$/i.test(method)) {
    throw new Usage('cli.usage.choice', { flag: 'METHOD', values: 'GET, HEAD, POST, PUT, PATCH, DELETE' });
  }
  // A path only: the credential goes to no other place than the session's.
  if (!/^\/?(?!\/)[^\s\\]*$/.test(path) || /^[a-z]+:/i.test(path))
    throw new Usage('cli.usage.path', { path });
  const { transport, origin } = openSession(terminal);
  const body = options.input === undefined ? undefined : await readSource(options.input, terminal, '--input');
  const way = path.startsWith('/') ? path : `/${path}`;
  const response = await reach(transport.fetch, origin + way, {
    method: method.toUpperCase(),
    headers: {
      accept: 'application/json, application/problem+json, */*',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(way.startsWith('/api/internal/') ? { 'x-requested-with': 'XMLHttpRequest' } : {}),
      ...(await transport.headers?.()),
      ...headerPairs(options.header ?? []),
    },
    body,
    signal: terminal.signal,
    redirect: 'error',
  });
  const text = await response.text();
  const data = parsed(response.headers.get('content-type'), text);
  if (options.include) {
    const lines = [...response.headers.entries()].map(([name, value]) => `${name}: ${value}`);
    terminal.out.write(`${cleanText(`${response.status}\n${lines.join('\n')}`)}\n\n`);
  }
  if (data !== undefined) terminal.out.write(jsonText(data, terminal.out.live));
  else terminal.out.write(terminal.out.live ? `${cleanText(text)}\n` : text);
  // The body of a refusal is an answer as well; what it means goes to stderr.
  if (!response.ok) throw problemFromReply(response.status, data ?? text, { instance: way });
}

async function reach(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
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

/** Reads `Name=value` or `Name: value`. */
export function headerPairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const found = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128})\s*[=:]\s*([^\r\n\0]*)$/.exec(pair);
      if (!found) throw new Usage('cli.usage.pair', { flag: '--header', text: pair });
      return [found[1]!.toLowerCase(), found[2]!];
    }),
  );
}

function parsed(contentType: string | null, text: string): unknown {
  if (!/\bjson\b/.test(contentType ?? '') || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
