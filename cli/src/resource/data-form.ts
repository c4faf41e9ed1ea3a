// How data goes out, as the options of a command say it.
import type { DataOptions } from '../term/data-options.ts';
import { pickFields } from '../term/json.ts';
import { Usage } from '../term/usage.ts';

export const outputs = ['table', 'wide', 'json', 'ndjson', 'yaml', 'csv'] as const;
type Output = (typeof outputs)[number];

/** How data goes out. */
export interface DataForm {
  style: Output | 'jq' | 'template';
  /** The chosen fields; all of them when undefined. */
  fields: string[] | undefined;
  /** The filter of jq, or the template. */
  program: string;
}

/** Reads the options; undefined is the usual form for people and pipes. Throws on an unknown field or format. */
export function dataForm(options: DataOptions, known: readonly string[]): DataForm | undefined {
  const { json, output, jq, template } = options;
  if (output !== undefined && !(outputs as readonly string[]).includes(output)) {
    throw new Usage('cli.usage.choice', { flag: '--output', values: outputs.join(', ') });
  }
  const ways = [
    output !== undefined && output !== 'json' ? `--output ${output}` : '',
    jq === undefined ? '' : '--jq',
    template === undefined ? '' : '--template',
  ].filter(Boolean);
  if (ways.length > 1) throw new Usage('cli.usage.together', { flags: ways.join(', ') });
  if (json === undefined && output === undefined && ways.length === 0) return undefined;
  return {
    style:
      jq !== undefined
        ? 'jq'
        : template !== undefined
          ? 'template'
          : ((output as Output | undefined) ?? 'json'),
    fields: json === undefined ? undefined : pickFields(json, known),
    program: jq ?? template ?? '',
  };
}

/** Looks like a table to a person. */
export function isTable(form: DataForm | undefined): boolean {
  return form === undefined || form.style === 'table' || form.style === 'wide';
}
