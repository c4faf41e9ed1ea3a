// Writes the scopes that rules have created to the audit log, each once.
import { scope } from '@yagura/core/alerthub/scope';
import type { AuditWriter } from '../../audit/audit-log.ts';
import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { isRowFault } from '../../jobs/poison-row-guard.ts';

interface ScopeAuditDeps {
  database: Database;
  clock: Clock;
  log: Log;
  auditOf(space: { spaceId: string; host: string | null }): Pick<AuditWriter, 'write'>;
}

/** Finds what a stopped server has left. */
const intervalMs = 60_000;
const maxRecords = 100;

/** A scope's row says whether its record is written, so a stop between the two loses none. */
export function createScopeAudit(deps: ScopeAuditDeps): PeriodicJob {
  const { database, clock, log } = deps;
  /** Scopes whose record the database refuses; tried again after a restart. */
  const refused = new Set<string>();
  /** Writes records; true if more may be missing. Throws if the database refuses one of several. */
  async function writeNext(limit: number): Promise<boolean> {
    let found: string[] = [];
    try {
      return await database.transaction((tx) =>
        writeRecords(tx, deps, {
          limit,
          without: [...refused],
          onFound: (scopeIds) => {
            found = scopeIds;
          },
        }),
      );
    } catch (error) {
      if (!isRowFault(error) || found.length !== 1) throw error;
      const [scopeId] = found;
      refused.add(scopeId!);
      log({
        level: 'error',
        message: 'a created scope was not written to the audit log',
        scopeId,
        ...errorFields(error),
      });
      return true;
    }
  }
  return new PeriodicJob({
    ...{ clock, log, intervalMs },
    failureMessage: 'created scopes were not written to the audit log',
    async work() {
      let limit = maxRecords;
      for (let isMissing = true; isMissing; ) {
        try {
          isMissing = await writeNext(limit);
        } catch (error) {
          if (!isRowFault(error) || limit === 1) throw error;
          limit = 1;
        }
      }
    },
  });
}

interface RecordSelection {
  /** Maximum records. */
  limit: number;
  /** Scopes to leave out. */
  without: readonly string[];
  /** Called with the scopes before anything is written. */
  onFound(scopeIds: string[]): void;
}

/** Writes records of one space; true if more may be missing. */
async function writeRecords(
  tx: Transaction,
  { auditOf }: ScopeAuditDeps,
  { limit, without, onFound }: RecordSelection,
): Promise<boolean> {
  const { rows } = await tx.query<CreatedScopeRow>(
    `select c.scope_id, c.space_id, c.receive_slot_id, c.rule_id, p.host, r.body, s.body->>'displayName' as slot_name,
       coalesce((select jsonb_object_agg(a.name, a.value) from attribute a where a.scope_id = c.scope_id), '{}') as attributes
     from created_scope c join space p on p.space_id = c.space_id
     join resource r on r.space_id = c.space_id and r.kind = 'scope' and r.id = c.scope_id
     left join resource s on s.space_id = c.space_id and s.kind = 'receive-slot' and s.id = c.receive_slot_id
     where not c.audited and c.scope_id <> all($1::uuid[]) and c.space_id = (
       select o.space_id from created_scope o
       join resource r on r.space_id = o.space_id and r.kind = 'scope' and r.id = o.scope_id
       where not o.audited and o.scope_id <> all($1::uuid[]) limit 1
     )
     order by c.scope_id limit $2 for update of c skip locked`,
    [without, limit],
  );
  const [first] = rows;
  if (!first) return false;
  onFound(rows.map((row) => row.scope_id));
  await tx.query('update created_scope set audited = true where scope_id = any($1::uuid[])', [
    rows.map((row) => row.scope_id),
  ]);
  const audit = auditOf({ spaceId: first.space_id, host: first.host });
  for (const { scope_id, receive_slot_id, rule_id, body, slot_name, attributes } of rows)
    await audit.write(tx, {
      actor: { kind: 'server', userId: null, name: 'rules' },
      from: { address: '', userAgent: '' },
      action: 'create',
      outcome: 'done',
      resource: scope.name,
      resourceId: scope_id,
      detail: slot_name ?? receive_slot_id,
      after: { ...body, attributes, receiveSlotId: receive_slot_id, ruleId: rule_id },
    });
  return true;
}

interface CreatedScopeRow {
  scope_id: string;
  space_id: string;
  host: string | null;
  receive_slot_id: string;
  rule_id: string;
  body: Record<string, unknown>;
  slot_name: string | null;
  attributes: Record<string, string>;
}
