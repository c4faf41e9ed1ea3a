// Creates the context of an API call (caller, language, network address) and runs the checks before any
// handler.
import { can, permissionsOf, rolesGranting } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import { ipBlockedDetail, Problem } from '@yagura/core/http/problem';
import type { FastifyRequest } from 'fastify';
import { TranslatableProblem } from '../common/translatable-problem.ts';
import { translatable } from '../common/translatable-text.ts';
import { languageFor, translatorFor } from '../http/request-language.ts';
import type { CallerReference, Principal } from '../identity/principal.ts';
import type { RequestContext, ResourceServices } from '../resource/request-context.ts';
import { callerOfOwnRequest } from './own-requests.ts';

/** What the handlers of the API need to admit a request, beside what resources need. */
export interface ApiServices extends ResourceServices {
  identity: Authenticator;
  ipGuard: AddressCheck;
}

interface Authenticator {
  /** Throws a 401 for missing or invalid credentials. */
  authenticate(headers: CredentialHeaders, address: string): Promise<Principal>;
  /** The caller of an earlier request as they are now. Throws a 401 if they may not call any more. */
  recheck(caller: CallerReference): Promise<Principal>;
}

interface CredentialHeaders {
  authorization: string | undefined;
  'x-authorization': string | undefined;
}

interface AddressCheck {
  /** Whether the IP restriction of the space allows this address. */
  permits(address: string): boolean;
}

const callers = new WeakMap<FastifyRequest, Pick<RequestContext, 'principal' | 'from'>>();

/** The caller of the request; undefined when not authenticated. */
export function callerOf(request: FastifyRequest): Pick<RequestContext, 'principal' | 'from'> | undefined {
  return callers.get(request);
}

/** Stores the caller of the request. */
export function setCaller(request: FastifyRequest, caller: Pick<RequestContext, 'principal' | 'from'>): void {
  callers.set(request, caller);
}

export async function createRequestContext<Services extends ApiServices>(
  services: Services,
  request: FastifyRequest,
): Promise<RequestContext<Services>> {
  const { headers } = request;
  if (!services.ipGuard.permits(request.ip)) throw new Problem('forbidden', { detail: ipBlockedDetail });
  const earlier = callerOfOwnRequest(headers);
  const principal = earlier
    ? await services.identity.recheck(earlier)
    : await services.identity.authenticate(
        { authorization: headers.authorization, 'x-authorization': singleValue(headers['x-authorization']) },
        request.ip,
      );
  const from = { address: request.ip, userAgent: singleValue(headers['user-agent']) ?? '' };
  setCaller(request, { principal, from });
  // The route, because the address may spell the same path in another way, such as `/api/%69nternal/`.
  if (request.routeOptions.url?.startsWith('/api/internal/')) checkInternal(request, principal.kind);
  return createCallerContext(
    services,
    { principal, from },
    {
      params: request.params as Record<string, string>,
      query: request.query as Record<string, unknown>,
      acceptLanguage: headers['accept-language'],
    },
  );
}

/** The context of a caller who was authenticated by other means than the headers of a request. */
export async function createCallerContext<Services extends ResourceServices>(
  services: Services,
  { principal, from }: Pick<RequestContext, 'principal' | 'from'>,
  about: Pick<RequestContext, 'params' | 'query'> & { acceptLanguage: string | undefined },
): Promise<RequestContext<Services>> {
  const { params, query, acceptLanguage } = about;
  const t = translatorFor(acceptLanguage);
  const grant = permissionsOf(principal.claims, roleMap);
  return {
    services,
    principal,
    from,
    spaceId: principal.spaceId,
    address: from.address,
    params,
    query,
    language: languageFor(acceptLanguage),
    t,
    may: (...anyOf) => can(grant, ...anyOf),
    require(...anyOf) {
      if (can(grant, ...anyOf)) return;
      const roles = anyOf.flatMap((permission) => rolesGranting(permission, roleMap));
      const or = (names: readonly string[]) => [...new Set(names)].join(t('problem.or'));
      const messageKey = roles.length > 0 ? 'problem.needs-role' : 'problem.needs';
      throw new Problem('forbidden', { detail: t(messageKey, { permissions: or(anyOf), roles: or(roles) }) });
    },
  };
}

interface AdmittedRequest<Services extends ApiServices> {
  context: RequestContext<Services>;
  at: number;
}

/**
 * Milliseconds for which an admission holds: a body may take long to arrive, so after that the caller is
 * checked again.
 */
const admissionTtlMs = 1_000;

/** Authorizes the caller from the headers alone, before the first byte of the body is read. */
export function createAdmission<Services extends ApiServices>(
  services: Services,
  check: (context: RequestContext) => void,
) {
  const admittedRequests = new WeakMap<FastifyRequest, AdmittedRequest<Services>>();
  const admit = async (request: FastifyRequest): Promise<RequestContext<Services>> => {
    const context = await createRequestContext(services, request);
    check(context);
    return context;
  };
  return {
    async onRequest(request: FastifyRequest): Promise<void> {
      admittedRequests.set(request, { context: await admit(request), at: services.clock.now() });
    },
    /** Returns the context for the handler. */
    async admitted(request: FastifyRequest): Promise<RequestContext<Services>> {
      const { context, at } = admittedRequests.get(request)!;
      return services.clock.now() - at <= admissionTtlMs ? context : admit(request);
    },
  };
}

/** Internal calls carry a header that foreign pages cannot send without a CORS preflight. */
export function requireMarkerHeader(request: FastifyRequest): void {
  if (singleValue(request.headers['x-requested-with']) === 'XMLHttpRequest') return;
  throw new TranslatableProblem('forbidden', translatable('refusal.internal-header'));
}

/** Internal calls come from our own console, never with an API token. */
function checkInternal(request: FastifyRequest, kind: 'person' | 'api-token'): void {
  requireMarkerHeader(request);
  if (kind === 'api-token')
    throw new TranslatableProblem('forbidden', translatable('refusal.internal-token'));
}

function singleValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
