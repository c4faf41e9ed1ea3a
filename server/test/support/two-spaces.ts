// The identity modules of two spaces on one database, without a server: for tests of what each statement may touch.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import { deriveSecret } from '../../src/common/secrets/server-secret.ts';
import type { Database } from '../../src/db/database.ts';
import type { ServerMail } from '../../src/delivery/mail-outbox/mail-outbox.ts';
import type { IdentityContext } from '../../src/identity/identity-context.ts';
import { createUserAccounts, type UserAccountInput } from '../../src/identity/users/user-accounts.ts';
import { addSpace } from './identity-server.ts';
import { createStoreWithTables } from './test-store.ts';

export interface TwoSpaces {
  database: Database;
  clock: ManualClock;
  here: IdentityContext;
  elsewhere: IdentityContext;
  logLines: LogLine[];
  mails: ServerMail[];
  /** Number of times that the cache of verified credentials was cleared. */
  cleared(): number;
  /** Adds a user without a password and returns its id. */
  addPerson(context: IdentityContext, email: string, more?: Partial<UserAccountInput>): Promise<string>;
  /** Values of the only column, in order. */
  column(sql: string, values?: unknown[]): Promise<unknown[]>;
  close(): Promise<void>;
}

export async function openTwoSpaces(): Promise<TwoSpaces> {
  const store = (await createStoreWithTables('embedded'))!;
  const database = await store.open();
  const clock = new ManualClock();
  const logLines: LogLine[] = [];
  const mails: ServerMail[] = [];
  const translators = { en: await loadTranslator('en'), ja: await loadTranslator('ja') };
  const secret = deriveSecret(randomBytes(32));
  const nextId = createIdSource(clock);
  let cleared = 0;

  async function contextOf(name: string): Promise<IdentityContext> {
    const spaceId = await addSpace(database, clock);
    return {
      database,
      clock,
      nextId,
      log: (line) => void logLines.push(line),
      spaceId,
      publicUrl: `https://${name}.example`,
      secret,
      mail: { queue: async (_db, mail) => void mails.push(mail), wake: () => {}, canSend: true },
      audit: { enqueue: () => {} },
      translators,
      spaceName: async () => name,
      passwordsEnabled: true,
      maxUsers: null,
      recordSignIn: async () => {},
      recordProof: async () => {},
      clearPrincipalCache: () => void cleared++,
    };
  }

  const here = await contextOf('here');
  const elsewhere = await contextOf('elsewhere');
  return {
    database,
    clock,
    here,
    elsewhere,
    logLines,
    mails,
    cleared: () => cleared,
    async addPerson(context, email, more) {
      const person = { email, displayName: email.split('@')[0]!, ...more };
      return (await createUserAccounts(context).createUser(person)).userId;
    },
    async column(sql, values) {
      const { rows } = await database.query<Record<string, unknown>>(sql, values);
      return rows.map((row) => Object.values(row)[0]);
    },
    async close() {
      await store.remove();
    },
  };
}

/** A request with these headers, for what reads headers only. */
export const requestWith = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;
