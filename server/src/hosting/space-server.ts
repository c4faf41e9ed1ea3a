// Creates the services and the HTTP app of one space: users, mail, audit log; isolated from all other spaces.

import { hkdfSync } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { roleMap } from '@yagura/core/access/role-map';
import { resourceNamed, resources } from '@yagura/core/all';
import { gatewayPath } from '@yagura/core/greac/stream/frame';
import { Problem } from '@yagura/core/http/problem';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { agentPath } from '@yagura/core/ksocket/agent-protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serveBulk } from '../alerthub/bulk/serve-bulk.ts';
import { Retention } from '../alerthub/retention/retention.ts';
import { serveEventWhy } from '../alerthub/scopes/serve-event-why.ts';
import { RefusalStore } from '../alerthub/slots/refusal-store.ts';
import { serveHandshakes } from '../alerthub/slots/serve-handshakes.ts';
import { auditRefusals } from '../api/audit-refusals.ts';
import { serveChanges } from '../api/changes/changes-stream.ts';
import { createCallerContext } from '../api/create-request-context.ts';
import { serveClientInfo, serveFixed } from '../api/serve-fixed.ts';
import { serveResource } from '../api/serve-resource.ts';
import type { AnchorStore } from '../audit/anchor-store.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { createBlockedRequestRecorder } from '../audit/blocked-requests.ts';
import { deriveSecret } from '../common/secrets/server-secret.ts';
import { spaceSecret } from '../common/secrets/space-secret.ts';
import { TranslatableProblem } from '../common/translatable-problem.ts';
import { translatable } from '../common/translatable-text.ts';
import type { Config } from '../config/config.ts';
import { createMailOutbox } from '../delivery/mail-outbox/mail-outbox.ts';
import { createLogRetention } from '../greac/log-retention.ts';
import { streamPath } from '../greac/stream/session-streams.ts';
import { createApp, replyHeaders } from '../http/app.ts';
import { declaredLength } from '../http/body/read-body.ts';
import { hasUnreadBody } from '../http/body/unread-body.ts';
import { inProcessFetch } from '../http/in-process-fetch.ts';
import { serveDocs } from '../http/openapi/docs-page.ts';
import { openApiDocument } from '../http/openapi/openapi-document.ts';
import { SocketRoutes } from '../http/socket-routes.ts';
import { type ConsoleSource, serveConsole } from '../http/web-console/serve-console.ts';
import { accountPagePaths } from '../identity/account-pages/account-page-paths.ts';
import { createIdentity, type Identity, metadataPath } from '../identity/identity.ts';
import type { CallerReference } from '../identity/principal.ts';
import { serveKrokerSetup } from '../kroker/setup-routes.ts';
import { listCalls } from '../pigeon/behaviours/result-behaviour.ts';
import { createResultRetention } from '../pigeon/behaviours/result-retention.ts';
import { serveRecording } from '../pigeon/behaviours/serve-recording.ts';
import { serveCallbacks } from '../pigeon/webhook-line/provider-callback.ts';
import { createItemVisibility } from '../resource/item-visibility.ts';
import { createSnapshotRetention, isDeletedSnapshot } from '../sonar/snapshot-retention.ts';
import { showCurrentApiToken } from '../space/behaviours/api-token-behaviour.ts';
import { IpGuard } from '../space/ip-guard.ts';
import { rejectBlockedAddresses } from '../space/reject-blocked-addresses.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import { createSpaceErasure, rejectWhenErased, type SpaceErasure } from '../space/space-erasure.ts';
import { serveSpaceExport } from '../space/space-export.ts';
import { behaviours } from './behaviours.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import type { Services } from './services.ts';
import type { SharedServices } from './shared-services.ts';

export interface SpaceServerDeps {
  config: Config;
  version: string;
  sharedServices: SharedServices;
  /** Installation secret. */
  secret: Uint8Array;
  mailDomain: string;
  anchors: AnchorStore;
  translators: Readonly<Record<Language, Translate>>;
  /** Built console or development server; no console is served when absent. */
  consoleSource: ConsoleSource | undefined;
  metrics: ServerMetrics;
  /** Receives every request of the app's own socket; only set for the space whose app listens. */
  front?: (request: IncomingMessage, response: ServerResponse, own: RequestListener) => void;
  /** Called once the erasure of the space has begun; resolves when it has ended. */
  onErasureBegun(): Promise<void>;
}

export interface SpaceServer {
  hosted: HostedSpace;
  services: Services;
  app: FastifyInstance;
  sockets: SocketRoutes;
  spaceErasure: SpaceErasure;
  /** Starts enforcing the IP restriction. Call it before the first request. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Resources whose changes can affect permissions. */
const permissionResources = new Set(['user', 'user-group', 'api-token']);

export async function createSpaceServer(hosted: HostedSpace, deps: SpaceServerDeps): Promise<SpaceServer> {
  const { config, version, sharedServices, consoleSource } = deps;
  const { spaceId, origin: publicUrl } = hosted;
  const { database, clock, nextId, log, changes, contract } = sharedServices.shared;
  const secret = spaceSecret(deps.secret, hosted);
  const common = { database, clock, nextId, log, spaceId };
  const closing: (() => Promise<unknown> | unknown)[] = [];
  const close = async () => {
    for (const work of closing.splice(0).reverse()) await work();
  };
  try {
    const { translators } = deps;
    const mails = sharedServices.serverMails;
    const mail = createMailOutbox({ ...common, translators, mails, secret: deriveSecret(secret) });
    const audit = createAuditLog({
      ...common,
      secret: deriveSecret(secret),
      retentionDays: config.auditDays,
      anchors: deps.anchors,
    });
    closing.push(async () => {
      await audit.close();
      await audit.writeAnchor();
    });
    const retention = new Retention({ database, clock, log, audit, spaceId });
    closing.push(() => retention.close());
    const logRetention = createLogRetention({ database, clock, log, audit, changes, spaceId });
    closing.push(() => logRetention.close());
    const snapshotRetention = createSnapshotRetention({ database, clock, log, audit, changes, spaceId });
    const resultRetention = createResultRetention({ database, clock, log, audit, changes, spaceId });
    closing.push(() => resultRetention.close());
    closing.push(() => snapshotRetention.close());
    // What was in deleted snapshots is deleted at once, not at the next hour.
    closing.push(
      changes.listen((list) => {
        if (list.some((change) => change.spaceId === spaceId && isDeletedSnapshot(change)))
          void snapshotRetention.runNow();
      }),
    );
    /** Client addresses for the identity provider, which reads its requests outside the framework. */
    const addresses = new WeakMap<IncomingMessage, string>();
    const identity = await createIdentity({
      ...common,
      publicUrl,
      secret,
      mail,
      audit,
      external: usesExternal(config, hosted) ? config.external : undefined,
      maxUsers: contract.maxUsers,
      clientAddress: (request) => addresses.get(request) ?? request.socket.remoteAddress ?? '',
    });
    closing.push(() => identity.close());
    // Permissions have changed, here or in another replica.
    closing.push(
      changes.listen((list) => {
        if (list.some((change) => change.spaceId === spaceId && permissionResources.has(change.resource)))
          identity.clearPrincipalCache();
      }),
    );
    const active = config.ipRestriction && contract.allowsFeature('ip-restriction');
    const ipGuard = new IpGuard({ database, clock, log, changes, spaceId, active });
    closing.push(() => ipGuard.close());
    const permits = (address: string) => ipGuard.permits(address);
    const noteBlocked = createBlockedRequestRecorder(audit, clock);
    const enders = new Set<() => void>();
    const services: Services = {
      ...sharedServices.shared,
      config,
      publicUrl,
      mailDomain: deps.mailDomain,
      spaceId,
      identity,
      mail,
      audit,
      ipGuard,
      visibility: createItemVisibility(behaviours),
      retention,
      logRetention,
      snapshotRetention,
      resultRetention,
      onClose(work) {
        enders.add(work);
        return () => void enders.delete(work);
      },
    };
    const { bodies, threads } = sharedServices.shared;
    const app = createApp(log, {
      ...{ publicUrl, trustedProxies: config.trustedProxies, front: deps.front },
      ...{ bodies, threads, spaceId },
    });
    const spaceErasure = createSpaceErasure({
      ...{ database, clock, log, spaceId },
      onBegun() {
        endConnections();
        // They would store new rows.
        for (const service of [retention, logRetention, snapshotRetention, resultRetention, identity])
          void service.close();
        return deps.onErasureBegun();
      },
    });
    closing.push(() => spaceErasure.close());
    rejectWhenErased(app, spaceErasure);
    rejectBlockedAddresses(app, ipGuard, noteBlocked);
    auditRefusals(app, audit, clock);
    const { intake } = sharedServices.shared;
    app.addHook('onRequest', async (request) => intake.noteCall(request));
    app.addHook('onResponse', async (request) => intake.noteAnswer(request));
    app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) =>
      deps.metrics.addRequest(method, routeOptions.url ?? '', statusCode, elapsedTime / 1000),
    );
    const headers = replyHeaders(publicUrl.startsWith('https:'));
    const sockets = new SocketRoutes(headers);
    sockets.add(new RegExp(`^${agentPath}/?$`), (request, socket, head) =>
      sharedServices.shared.ksocket.upgrade({ spaceId, permits, noteBlocked }, request, socket, head),
    );
    sockets.add(new RegExp(`^${gatewayPath}/?$`), (request, socket, head) =>
      sharedServices.shared.gateways.upgrade({ spaceId, permits, noteBlocked }, request, socket, head),
    );
    const streamGate = {
      ...{ spaceId, permits, noteBlocked },
      origin: new URL(publicUrl).origin,
      contextOf: async (caller: CallerReference, address: string, params: { sessionId: string }) =>
        createCallerContext(
          services,
          { principal: await identity.recheck(caller), from: { address, userAgent: '' } },
          { params, query: {}, acceptLanguage: undefined },
        ),
    };
    sockets.add(streamPath, (request, socket, head) =>
      sharedServices.shared.sessionStreams.upgrade(streamGate, request, socket, head),
    );
    registerRoutes(app, services, sharedServices);
    serveDocs(app, () => openApiDocument(publicUrl, version));
    await serveIdentity(app, identity, addresses, headers);
    if (consoleSource) {
      await serveConsole(app, {
        source: consoleSource,
        fetchFor: inProcessFetch(app, publicUrl),
        origin: publicUrl,
        clientInfo: identity.clientInfo(),
        cookieSecret: Buffer.from(hkdfSync('sha256', secret, '', 'yagura console cookies', 32)),
        helpLinks: config.helpLinks,
        version,
        log,
      });
    }
    closing.push(() => app.close());
    const endConnections = () => {
      for (const end of enders) end();
      sockets.close();
    };
    closing.push(endConnections);
    const start = async () => {
      await ipGuard.start();
      retention.start();
      logRetention.start();
      snapshotRetention.start();
      resultRetention.start();
      await app.ready();
    };
    return { hosted, services, app, sockets, spaceErasure, start, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The provider admits every account it knows, so it is used only for the spaces configured for it. */
function usesExternal({ external }: Config, { host }: HostedSpace): boolean {
  return host === null || external?.hosts.includes(host) === true;
}

function registerRoutes(
  app: FastifyInstance,
  services: Services,
  { directory, fetchPage }: Pick<SharedServices, 'directory' | 'fetchPage'>,
): void {
  const { config, spaceId, clock, audit, database, log } = services;
  const refusals = new RefusalStore({ database, clock, log });
  serveHandshakes(app, { clock, audit, spaceId, directory, refusals, fetchPage });
  // Reply to a slot change only after the receivers have applied it.
  app.addHook('onSend', async () => directory.whenSynced());
  const { webhookSecret } = config.pigeon;
  if (webhookSecret)
    serveCallbacks(app, {
      clock: services.clock,
      secret: webhookSecret,
      report: (resultId, callId, report) => services.pigeon.report({ resultId, spaceId }, callId, report),
    });
  const known = new Map(behaviours.map((behaviour) => [behaviour.resource.name, behaviour]));
  const behaviourOf = (name: string) => known.get(name) ?? { resource: resourceNamed(name) };
  for (const { name } of resources) serveResource(app, services, behaviourOf(name), behaviourOf);
  serveKrokerSetup(app, services);
  serveChanges(app, services, behaviours);
  serveFixed(app, services, 'role-map', () => roleMap);
  serveFixed(app, services, 'current-api-token', showCurrentApiToken);
  serveFixed(app, services, 'pigeon-calls', listCalls);
  serveBulk(app, services);
  serveRecording(app, services);
  serveEventWhy(app, services);
  serveSpaceExport(app, services);
  serveClientInfo(app, services);
  const unknown = async () => {
    throw new TranslatableProblem('not-found', translatable('refusal.no-call'));
  };
  for (const path of ['/api', '/api/*', '/receive/*']) app.all(path, { onRequest: unknown }, unknown);
}

/** The identity provider reads its requests itself. */
async function serveIdentity(
  app: FastifyInstance,
  identity: Identity,
  addresses: WeakMap<IncomingMessage, string>,
  headers: Record<string, string>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const path of ['/oidc', '/oidc/*', metadataPath, ...accountPagePaths]) {
      scope.all(path, { onRequest: refuseLargeForm }, (request, reply) => {
        reply.hijack();
        addresses.set(request.raw, request.ip);
        for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
        identity.handler(request.raw, reply.raw);
      });
    }
  });
}

/** Sign-in forms are small; a body without a declared length is limited while it is read. */
async function refuseLargeForm(request: FastifyRequest): Promise<void> {
  if (!hasUnreadBody(request)) return;
  if (request.method !== 'POST' || declaredLength(request.headers) !== undefined)
    throw new Problem('too-large');
}
