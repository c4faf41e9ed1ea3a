// A space that replies as a test says, and keeps what it was asked.
import { createServer, type Server } from 'node:http';
import { listenOnLoopback } from './listen-on-loopback.ts';

export interface AskedRequest {
  /** `GET /api/space`, without the query. */
  call: string;
  query: Record<string, string>;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** A status with a body; the body of a problem gets its type from `problem`. */
export interface StubReply {
  status?: number;
  problem?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

type Replies = Record<string, unknown | ((asked: AskedRequest) => unknown)>;

export class StubSpace {
  origin = '';
  asked: AskedRequest[] = [];
  /** Replies by call, as JSON; `StubReply` instances made with `reply` have a status. A missing one is a 404. */
  replies: Replies = {};
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const url = new URL(request.url!, 'http://space.example');
      let body = '';
      for await (const chunk of request) body += chunk;
      const asked: AskedRequest = {
        call: `${request.method} ${url.pathname}`,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body,
      };
      this.asked.push(asked);
      const known = this.replies[asked.call] ?? new Reply({ status: 404, problem: 'not-found' });
      const found: unknown = typeof known === 'function' ? known(asked) : known;
      const {
        status = 200,
        problem,
        body: content,
        headers,
      } = found instanceof Reply ? found.reply : { body: found };
      const json = problem
        ? {
            type: `urn:yagura:problem:${problem}`,
            title: problem,
            status,
            ...(content as object | undefined),
          }
        : content;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof json === 'string' ? json : json === undefined ? '' : JSON.stringify(json));
    });
  }

  async start(): Promise<void> {
    this.origin = await listenOnLoopback(this.#server);
  }

  reset(replies: Replies = {}): void {
    this.asked = [];
    this.replies = replies;
  }

  get env(): NodeJS.ProcessEnv {
    return { YAGURA_URL: this.origin, YAGURA_TOKEN: 'token' };
  }

  /** The calls so far. */
  get calls(): string[] {
    return this.asked.map(({ call }) => call);
  }

  /** The bodies that one call was sent with. */
  bodies(call: string): unknown[] {
    return this.asked.filter((one) => one.call === call).map(({ body }) => JSON.parse(body));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

class Reply {
  readonly reply: StubReply;

  constructor(reply: StubReply) {
    this.reply = reply;
  }
}

export function reply(content: StubReply): unknown {
  return new Reply(content);
}

export const list = (items: readonly object[], total = items.length) => ({ items, total });

/** Empty lists of what is read below these scopes, and of what may refer to them, when one of them is to be deleted. */
export function emptyListsAroundScopes(scopeIds: readonly string[]) {
  const paths = [
    ...scopeIds.flatMap((scopeId) =>
      ['attributes', 'mute-schedules', 'triggers'].map((part) => `scopes/${scopeId}/${part}`),
    ),
    ...['email-action-sender/settings', 'actions', 'runbooks', 'receive-slots', 'rules'],
  ];
  return Object.fromEntries(paths.map((path) => [`GET /api/apps/alerthub/${path}`, list([])]));
}
