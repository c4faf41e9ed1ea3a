// Sends requests of the server to targets inside the site: webhooks on premises.
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { type AgentMessageInput, agentLimits, type ServerMessage } from '@yagura/core/ksocket/agent-protocol';
import { withoutBrackets } from '@yagura/core/validation/ip';
import type { Settings } from '../settings/settings.ts';
import { findPermittedAddress, type LookupName, systemLookup } from '../site/find-target.ts';

type Order = Extract<ServerMessage, { type: 'request' }>;
type Answer = Extract<AgentMessageInput, { type: 'answer' | 'unanswered' }>;

/** Limits of the protocol on names and values of headers. */
const maxHeaderName = 256;
const maxHeaderValue = 16_384;
const maxSeconds = 60;

class RequestRefused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Aborts when the server does not wait for the answer any more. */
export function deadlineOf({ seconds }: Order): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.min(seconds, maxSeconds)) * 1000);
}

/**
 * Never rejects. Redirects are answers; nothing but the permitted address is contacted. After the deadline nothing is
 * sent: the server may have repeated the request.
 */
export async function sendRequest(
  order: Order,
  policy: Settings['requests'],
  stop: AbortSignal,
  { lookup = systemLookup, timeout = deadlineOf(order) }: { lookup?: LookupName; timeout?: AbortSignal } = {},
): Promise<Answer> {
  const { requestId } = order;
  try {
    timeout.throwIfAborted();
    const { url, address } = await findTarget(order.url, policy, lookup);
    timeout.throwIfAborted();
    const signal = AbortSignal.any([timeout, stop]);
    return { type: 'answer', requestId, ...(await exchange(order, url, address, signal)) };
  } catch (error) {
    const code = timeout.aborted ? 'TIMEOUT' : (error as { code?: unknown }).code;
    const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code);
    return { type: 'unanswered', requestId, code: isCode ? code : 'UNKNOWN' };
  }
}

/** Resolves the name once: the connection goes to the address that was checked. */
async function findTarget(
  text: string,
  policy: Settings['requests'],
  lookup: LookupName,
): Promise<{ url: URL; address: string }> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new RequestRefused('INVALID_URL');
  const host = withoutBrackets(url.hostname);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const address = await findPermittedAddress(policy, host, port, lookup);
  if (address === undefined) throw new RequestRefused('NOT_ALLOWED_BY_SITE');
  return { url, address };
}

function exchange(
  { method, headers, body }: Order,
  url: URL,
  address: string,
  signal: AbortSignal,
): Promise<Pick<Extract<Answer, { type: 'answer' }>, 'statusCode' | 'headers' | 'body' | 'tooLong'>> {
  const secure = url.protocol === 'https:';
  const options: RequestOptions & { servername?: string } = {
    method,
    headers: { host: url.host, ...headers, 'content-length': String(Buffer.byteLength(body)) },
    host: address,
    port: url.port || (secure ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    ...(url.username ? { auth: decodeURIComponent(`${url.username}:${url.password}`) } : {}),
    ...(secure && isIP(url.hostname) === 0 ? { servername: url.hostname } : {}),
    agent: false,
    signal,
  };
  return new Promise((resolve, reject) => {
    // After a change of the protocol, which is no response, nothing else tells that it is over.
    const onClose = () => reject(new RequestRefused('INVALID_ANSWER'));
    const request = (secure ? requestHttps : requestHttp)(options, (response) => {
      request.off('close', onClose);
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () => {
        const bytes = Buffer.concat(chunks).subarray(0, agentLimits.answer);
        resolve({
          statusCode: response.statusCode ?? 599,
          headers: boundedHeaders(response.headers),
          body: bytes.toString('utf8').slice(0, agentLimits.answer),
          tooLong: size > agentLimits.answer,
        });
        request.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > agentLimits.answer) finish();
      });
      response.once('end', finish);
      response.once('error', reject);
    });
    request.once('error', reject);
    request.once('close', onClose);
    request.end(body);
  });
}

function boundedHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.length > maxHeaderName
        ? []
        : [[name, (Array.isArray(value) ? value.join(', ') : value).slice(0, maxHeaderValue)]],
    ),
  );
}
