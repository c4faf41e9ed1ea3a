import { z } from 'zod';
import { maxBodyLength } from '../data/body/body-data.ts';
import { parseJsonData } from '../data/body/json-data.ts';
import { firstSelected } from '../data/selected-list.ts';
import { reason } from '../errors/decision-reason.ts';
import {
  defineOperator,
  nameParam,
  pathParam,
  stoppedResult,
  tooLongResult,
  writeResult,
} from './define-operator.ts';

/** Parses text as JSON; the rule does not match if the text is not JSON. */
export const jsonParse = defineOperator({
  operatorId: 'json-parse',
  kind: 'transform',
  params: z.strictObject({ source: pathParam(), destination: nameParam() }),
  compile({ source, destination }) {
    return (data) => {
      const seen = firstSelected(data.read(source));
      if (typeof seen !== 'string') return stoppedResult(seen, reason('why.noText', { path: source.text }));
      if (seen.length > maxBodyLength) return tooLongResult(source, seen, maxBodyLength);
      data.spendOnParsing(seen.length, source);
      try {
        return writeResult(destination, parseJsonData(seen), seen);
      } catch {
        return stoppedResult(seen, reason('why.json.invalid', { path: source.text }));
      }
    };
  },
});
