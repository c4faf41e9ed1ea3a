import { z } from 'zod';
import { toText } from '../data/convert-values.ts';
import { reason } from '../errors/decision-reason.ts';
import { defineOperator, nameParam, pathParam, stoppedResult, writeResult } from './define-operator.ts';

/**
 * Writes the table entry for a text; without an entry it writes `otherwise`, and without that the rule does
 * not match.
 */
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
      const text = toText(seen);
      const found = text === undefined ? undefined : entries.get(text);
      const value = found ?? otherwise;
      if (value === undefined) return stoppedResult(seen, reason('why.table.none', { path: source.text }));
      return writeResult(destination, value, seen);
    };
  },
});
