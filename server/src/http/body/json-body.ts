// Reads the JSON bodies of calls within their route's limits, after authorization; large ones are parsed in a
// worker thread.
import type { Readable } from 'node:stream';
import { problemFromReply } from '@yagura/core/http/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type RunThreadJob, ThreadJobError } from '../../common/thread-pool.ts';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import { markChecked } from '../input/check-input.ts';
import { languageFor } from '../request-language.ts';
import type { BodyBudget, BodyReservation } from './body-budget.ts';
import { type BodyRule, defaultBodyRule } from './body-rule.ts';
import type { readBodyInThread } from './body-thread-job.ts';
import { declaredLength, readBody } from './read-body.ts';
import { readJson } from './read-json.ts';

/** Threads that parse large bodies. */
export interface BodyThreads {
  run: RunThreadJob<'body', typeof readBodyInThread>;
}

export interface BodyDeps {
  bodies: BodyBudget;
  threads: BodyThreads;
  /** The space that the calls belong to. */
  spaceId: string;
}

/** Larger bodies are parsed in a thread; smaller ones cost less than the transfer. */
const inlineBytes = 32 * 1024;

const reservations = new WeakMap<FastifyRequest, BodyReservation>();

/** The request's memory reservation for the body, held until it is answered. */
export function reservationOf(request: FastifyRequest): BodyReservation {
  return reservations.get(request)!;
}

/** Parses JSON bodies, and gives each request with a body its reservation. */
export function registerJsonParser(app: FastifyInstance, { bodies, threads, spaceId }: BodyDeps): void {
  app.addHook('preParsing', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!hasBody(request)) return;
    const reservation = bodies.openReservation(spaceId);
    reservations.set(request, reservation);
    reply.raw.once('close', reservation.release).once('finish', reservation.release);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json/,
    async (request: FastifyRequest, payload: Readable) => {
      const rule = request.routeOptions.config?.body ?? defaultBodyRule;
      const limit = Math.min(rule.limit, request.routeOptions.bodyLimit);
      // An empty body counts as absent, whatever its content type.
      if (!hasBody(request)) return undefined;
      const bytes = await readBody(payload, {
        limit,
        declared: declaredLength(request.headers),
        reservation: reservationOf(request),
      });
      if (bytes.length === 0) return undefined;
      if (bytes.length <= inlineBytes) return readJson(bytes, rule);
      return readLarge({ threads, spaceId }, bytes, rule, request);
    },
  );
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (declaredLength(headers) ?? 0) > 0;
}

async function readLarge(
  { threads, spaceId }: Pick<BodyDeps, 'threads' | 'spaceId'>,
  bytes: Buffer,
  { schema, ...rule }: BodyRule,
  request: FastifyRequest,
): Promise<unknown> {
  const isPartial = schema?.isPartial === true;
  const language = languageFor(request.headers['accept-language']);
  const named = schema && { key: schema.key, isPartial };
  try {
    const input = { bytes, rule, schema: named, language };
    const { body, problem } = await threads.run('body', input, { space: spaceId, transfer: [bytes] });
    if (problem) throw problemFromReply(problem.status ?? 400, problem);
    if (schema && !isPartial) markChecked(body, schema.schema);
    return body;
  } catch (error) {
    if (!(error instanceof ThreadJobError)) throw error;
    if (error.reason === 'memory')
      throw new TranslatableProblem('too-large', translatable('refusal.body-content'), { cause: error });
    throw new TranslatableProblem('unavailable', translatable('refusal.large-requests'), {
      retryAfter: 2,
      cause: error,
    });
  }
}
