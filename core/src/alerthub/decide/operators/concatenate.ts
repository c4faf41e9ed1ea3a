import { z } from 'zod';
import { FlowError, within } from '../flow-error.ts';
import { compileTemplate, renderCompiled } from '../template.ts';
import { defineOperator, failed, nameParam, wrote } from './operator.ts';

/** Fills a Mustache template from the data and writes the text; names without a value are left empty. */
export const concatenate = defineOperator({
  operatorId: 'concatenate',
  kind: 'transform',
  params: z.strictObject({
    template: z.string().min(1).max(65_536).meta({ format: 'template' }),
    destination: nameParam(),
  }),
  compile({ template, destination }) {
    const compiled = within('params.template', () => compileTemplate(template));
    return (data) => {
      try {
        return wrote(destination, renderCompiled(compiled, data.root, { escape: 'none' }).text, template);
      } catch (error) {
        if (error instanceof FlowError) return failed(template, error.reason);
        throw error;
      }
    };
  },
});
