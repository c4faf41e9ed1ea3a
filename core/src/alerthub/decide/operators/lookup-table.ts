import { z } from 'zod';
import { reason } from '../reason.ts';
import { textOf } from '../values.ts';
import { defineOperator, nameParam, pathParam, stopped, wrote } from './operator.ts';

/** Writes what a table holds for a text; without an entry the `otherwise` text, and without that the rule does not apply. */
export const lookupTable = defineOperator({
  operatorId: 'lookup-table',
  kind: 'transform',
  params: z.strictObject({
    source: pathParam(),
    table: z
      .record(z.string().max(2048), z.string().max(65_536))
      .refine((table) => Object.keys(table).length <= 1000, {
        params: { reason: reason('why.param.tooBig', { most: 1000 }) },
      }),
    otherwise: z.string().max(65_536).optional(),
    destination: nameParam(),
  }),
  compile({ source, table, otherwise, destination }) {
    const entries = new Map(Object.entries(table));
    return (data) => {
      const seen = data.read(source);
      const text = textOf(seen);
      const found = text === undefined ? undefined : entries.get(text);
      const value = found ?? otherwise;
      if (value === undefined) return stopped(seen, reason('why.table.none', { path: source.text }));
      return wrote(destination, value, seen);
    };
  },
});
