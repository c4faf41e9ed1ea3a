import { z } from 'zod';
import { defaultRemovedElements, htmlToPlainText, removeElements as remove } from '../data/html-text.ts';
import { compileTextTransform, defineOperator, nameParam, pathParam } from './define-operator.ts';

/** Many short elements take about ten times as long as JSON of this length; ordinary pages take less. */
const parsingCost = 5;

const elements = () =>
  z
    .array(z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/))
    .max(100)
    .default([...defaultRemovedElements]);

/** Removes the named elements with their content and keeps the rest as HTML. */
export const removeElements = defineOperator({
  operatorId: 'remove-elements',
  kind: 'transform',
  params: z.strictObject({ source: pathParam(), elements: elements(), destination: nameParam() }),
  compile(params) {
    const names = new Set(params.elements.map((name) => name.toLowerCase()));
    return compileTextTransform(params, (text) => remove(text, names), { parsingCost });
  },
});

/** Extracts the readable text, with line breaks at the end of block elements. */
export const htmlToText = defineOperator({
  operatorId: 'html-to-text',
  kind: 'transform',
  params: z.strictObject({ source: pathParam(), elements: elements(), destination: nameParam() }),
  compile(params) {
    const names = new Set(params.elements.map((name) => name.toLowerCase()));
    return compileTextTransform(params, (text) => htmlToPlainText(text, names), { parsingCost });
  },
});
