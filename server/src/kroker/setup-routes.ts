// Machine side of a Kroker setup; the machine has no credential yet, so these calls are unauthenticated and
// rate limited.
import { invalidField, Problem } from '@yagura/core/http/problem';
import { kroker } from '@yagura/core/kroker/kroker';
import {
  type CheckInReply,
  type CollectReply,
  collectRequest,
  type SetupStarted,
  setupPaths,
  setupPollIntervalSeconds,
  setupRequest,
} from '@yagura/core/kroker/kroker-setup';
import { invalidParams } from '@yagura/core/validation/issue-messages';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isoTime } from '../common/clock.ts';
import type { ChangePublisher } from '../db/change-bus.ts';
import { isStorable } from '../http/input/storable-text.ts';
import { translatorFor } from '../http/request-language.ts';
import { checkIn, collectToken, type SetupDeps, startSetup, thumbprintOf } from './setup-store.ts';

/** Maximum request body in bytes. */
const bodyLimit = 8 * 1024;

export interface SetupServices extends SetupDeps {
  changes: ChangePublisher;
  /** Public origin of the space. */
  publicUrl: string;
}

export function serveKrokerSetup(app: FastifyInstance, services: SetupServices): void {
  const spaceName = async () => {
    const { rows } = await services.database.query<{ name: string }>(
      'select display_name as name from space where space_id = $1',
      [services.spaceId],
    );
    return rows[0]!.name;
  };

  app.post(setupPaths.begin, { bodyLimit }, async (request, reply): Promise<SetupStarted> => {
    const { publicKey, hostName } = await parseBody(setupRequest, request);
    const t = translatorFor(request.headers['accept-language']);
    if (!isStorable(hostName)) throw invalidField('hostName', t('rule.storable'));
    const thumbprint = thumbprintOf(publicKey);
    if (thumbprint === null) throw invalidField('publicKey', t('kroker.bad-key'));
    const started = await startSetup(services, { publicKey, thumbprint, hostName, address: request.ip });
    reply.code(201);
    return {
      ...started,
      verificationUri: `${services.publicUrl}/setup-kroker`,
      interval: setupPollIntervalSeconds,
    };
  });

  app.post(setupPaths.collect, { bodyLimit }, async (request): Promise<CollectReply> => {
    const { deviceCode } = await parseBody(collectRequest, request);
    const collected = await collectToken(services, deviceCode);
    if (!collected) return { status: 'pending' };
    services.changes.publish([
      {
        spaceId: services.spaceId,
        resource: kroker.name,
        id: collected.krokerId,
        op: 'update',
        at: isoTime(services.clock.now()),
      },
    ]);
    return { status: 'approved', ...collected, spaceName: await spaceName() };
  });

  app.post(setupPaths.check, { bodyLimit }, async (request): Promise<CheckInReply> => {
    const token = /^Bearer ([\w-]{1,200})$/.exec(request.headers.authorization ?? '')?.[1];
    const found = token === undefined ? null : await checkIn(services, token);
    if (!found) throw new Problem('sign-in-required');
    return { ...found, spaceName: await spaceName() };
  });
}

async function parseBody<S extends z.ZodType>(schema: S, request: FastifyRequest): Promise<z.output<S>> {
  const parsed = schema.safeParse(request.body);
  if (parsed.success) return parsed.data;
  const t = translatorFor(request.headers['accept-language']);
  throw new Problem('invalid', { invalidParams: invalidParams(parsed.error, t, request.body) });
}
