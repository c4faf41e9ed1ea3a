import { emptyTable, type SnmpTable } from '../../read/snmp/values.ts';
import { type TableName, tables } from './oids.ts';
import { SnmpFault } from './snmp-fault.ts';
import type { SnmpSession } from './snmp-session.ts';

/** Tables without an answer after which the device counts as gone. */
const maxSilences = 2;

/** Reads tables one after the other; a table that cannot be read completely is left out, and the reason is kept. */
export class TableReader {
  /** Why something could not be read. */
  readonly codes: Set<string>;
  private readonly session: SnmpSession;
  private silences = 0;
  private hasEnded = false;

  constructor(session: SnmpSession, codes = new Set<string>()) {
    this.session = session;
    this.codes = codes;
  }

  /** Undefined if the table could not be read; empty if the device does not have it. */
  async read(name: TableName): Promise<SnmpTable | undefined> {
    return this.attempt(() => this.session.table(tables[name]));
  }

  /** The first of the tables that has rows; empty if none has. */
  async readFirst<N extends TableName>(
    ...names: [N, ...N[]]
  ): Promise<{ name: N; table: SnmpTable } | undefined> {
    for (const name of names) {
      const table = await this.read(name);
      if (!table) return undefined;
      if (table.size > 0) return { name, table };
    }
    return { name: names[0], table: emptyTable };
  }

  async attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
    if (this.hasEnded) return undefined;
    try {
      return await read();
    } catch (error) {
      const code = error instanceof SnmpFault ? error.code : 'SNMP_MALFORMED';
      // A table that the account may not read is like one that the device does not have.
      if (code !== 'SNMP_NO_ACCESS') this.codes.add(code === 'SNMP_TOO_BIG' ? 'SNMP_ERROR' : code);
      if (code === 'TIMEOUT') this.silences++;
      const isFinal = error instanceof SnmpFault && error.isFinal;
      if (isFinal || this.silences >= maxSilences) this.hasEnded = true;
      return undefined;
    }
  }

  /** A reader of another view of the same device; a view that does not answer does not end the others. */
  for(session: SnmpSession): TableReader {
    return new TableReader(session, this.codes);
  }
}
