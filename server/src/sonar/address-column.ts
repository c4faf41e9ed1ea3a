// The column of a host's address, which lists sort as a number.
import type { Column } from '../resource/list/table.ts';

/** 10.0.0.2 before 10.0.0.10, and IPv4 before IPv6. Only valid addresses are stored. */
export function addressColumn(alias: string): Column {
  const sql = `${alias}.addr`;
  return { sql, type: 'text', order: `${sql}::inet` };
}
