import { z } from 'zod';
import { maxJson } from '../data.ts';
import { reason } from '../reason.ts';
import { defineOperator, nameParam, pathParam, stopped, tooLong, wrote } from './operator.ts';

/** Reads a text as JSON; text that is no JSON means that the rule does not apply. */
export const jsonParse = defineOperator({
  operatorId: 'json-parse',
  kind: 'transform',
  params: z.strictObject({ source: pathParam(), destination: nameParam() }),
  compile({ source, destination }) {
    return (data) => {
      const seen = data.read(source);
      if (typeof seen !== 'string') return stopped(seen, reason('why.noText', { path: source.text }));
      if (seen.length > maxJson) return tooLong(source, seen, maxJson);
      try {
        return wrote(destination, JSON.parse(seen), seen);
      } catch {
        return stopped(seen, reason('why.json.invalid', { path: source.text }));
      }
    };
  },
});
