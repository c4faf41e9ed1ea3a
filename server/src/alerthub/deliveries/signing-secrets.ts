// Derives the signing secrets of webhooks per action, so that none is stored; a copy of an action has a
// different one.

import { type Clock, isoTime } from '../../common/clock.ts';
import type { ServerSecret } from '../../common/secrets/server-secret.ts';
import type { ChangeBus } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';
import { failedResult, type SendResult } from '../../delivery/send-result.ts';

/** Milliseconds during which both secrets sign after a renewal, so that receivers can switch one by one. */
const overlapMs = 86_400_000;

interface SecretGeneration {
  round: number;
  renewedAt: number;
}

export class SigningSecrets {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly secret: Pick<ServerSecret, 'keyedHash'>;
  /** Actions whose secret was renewed; reloaded after any action changes. */
  private generations: Promise<ReadonlyMap<string, SecretGeneration>> | undefined;

  constructor(deps: {
    database: Database;
    clock: Clock;
    changes: ChangeBus;
    secret: Pick<ServerSecret, 'keyedHash'>;
  }) {
    this.database = deps.database;
    this.clock = deps.clock;
    this.secret = deps.secret;
    deps.changes.listen((list) => {
      if (list.some(({ resource }) => resource === 'action')) this.reload();
    });
  }

  /** Rereads everything, since changes may have been missed. */
  reload(): void {
    this.generations = undefined;
  }

  /**
   * Returns secrets of 32 bytes (Standard Webhooks requires 24 to 64): the current one and, for a day after a
   * renewal, the previous one.
   */
  async activeSecrets(actionId: string): Promise<Buffer[]> {
    const known = (await this.load()).get(actionId);
    if (!known) return [this.derive(actionId, 0)];
    const isRecent = this.clock.now() - known.renewedAt < overlapMs;
    const rounds = isRecent ? [known.round, known.round - 1] : [known.round];
    return rounds.map((round) => this.derive(actionId, round));
  }

  /** Returns the current secret in the format of receiver libraries. */
  async currentSecretText(actionId: string): Promise<string> {
    return `whsec_${(await this.activeSecrets(actionId))[0]!.toString('base64')}`;
  }

  /** Renews the secret in a transaction that `runTransaction` opens. The caller announces the change of the action. */
  async renew(spaceId: string, actionId: string, runTransaction: Database['transaction']): Promise<void> {
    await runTransaction((tx) =>
      tx.query(
        `insert into action_signing (action_id, space_id, round, renewed_at) values ($2, $1, 1, $3)
         on conflict (action_id) do update set round = action_signing.round + 1, renewed_at = excluded.renewed_at`,
        [spaceId, actionId, isoTime(this.clock.now())],
      ),
    );
    this.generations = undefined;
  }

  private load(): Promise<ReadonlyMap<string, SecretGeneration>> {
    const reading = this.generations ?? this.read();
    this.generations = reading;
    reading.catch(() => {
      if (this.generations === reading) this.generations = undefined;
    });
    return reading;
  }

  private async read(): Promise<ReadonlyMap<string, SecretGeneration>> {
    const { rows } = await this.database.query<{ action_id: string; round: number; renewed_at: string }>({
      name: 'signing-rounds',
      text: 'select action_id, round, renewed_at from action_signing',
    });
    return new Map(
      rows.map(({ action_id, round, renewed_at }) => [
        action_id,
        { round, renewedAt: Date.parse(renewed_at) },
      ]),
    );
  }

  private derive(actionId: string, round: number): Buffer {
    const again = round === 0 ? '' : ` again ${round}`;
    return this.secret.keyedHash(`webhook signature of action ${actionId}${again}`);
  }
}

/**
 * Sends signed with the secrets of an action, or unsigned without one. If the database is unavailable, the
 * attempt fails and is retried like one to an unreachable target.
 */
export async function sendSigned(
  signing: Pick<SigningSecrets, 'activeSecrets'>,
  actionId: string | null | undefined,
  send: (secrets: Buffer[]) => Promise<SendResult>,
): Promise<SendResult> {
  const secrets = actionId ? await signing.activeSecrets(actionId).catch(() => null) : [];
  return secrets ? send(secrets) : failedResult('delivery.connection', { detail: 'STORE' }, { retry: true });
}
