import { z } from 'zod';
import { FlowError, withErrorPath } from '../errors/flow-error.ts';
import { compileTemplate, maxRenderWork, renderCompiled } from '../template/render-template.ts';
import { defineOperator, failedResult, nameParam, writeResult } from './define-operator.ts';

/** Renders a Mustache template with the data and writes the text; variables without a value are empty. */
export const concatenate = defineOperator({
  operatorId: 'concatenate',
  kind: 'transform',
  params: z.strictObject({
    template: z.string().min(1).max(65_536).meta({ format: 'template' }),
    destination: nameParam(),
  }),
  compile({ template, destination }) {
    const compiled = withErrorPath('params.template', () => compileTemplate(template));
    return (data) => {
      try {
        const { text, work } = renderCompiled(compiled, data.root, { escape: 'none' });
        data.spend(work);
        return writeResult(destination, text, template);
      } catch (error) {
        if (!(error instanceof FlowError)) throw error;
        data.spend(maxRenderWork);
        return failedResult(template, error.reason);
      }
    };
  },
});
