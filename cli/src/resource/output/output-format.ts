// Reads the output format from the options of a command.
import type { DataOptions } from '../../command-line/data-options.ts';
import { parseChoice } from '../../command-line/parse-choice.ts';
import { parseFieldNames } from '../../command-line/select-fields.ts';
import { UsageError } from '../../command-line/usage-error.ts';

export const outputFormats = ['table', 'wide', 'json', 'ndjson', 'yaml', 'csv'] as const;
type OutputFormatName = (typeof outputFormats)[number];

/** Output format. */
export interface OutputFormat {
  kind: OutputFormatName | 'jq' | 'template';
  /** The selected fields; all of them when undefined. */
  fields: string[] | undefined;
  /** The jq filter or the template. */
  expression: string;
  /** CSV: text that a spreadsheet program would evaluate as a formula is written unchanged. */
  raw: boolean;
}

/**
 * Reads the options; undefined means the default format for terminals and pipes. Throws on an unknown field
 * or format.
 */
export function parseOutputFormat(options: DataOptions, known: readonly string[]): OutputFormat | undefined {
  const { json, output, jq, template, raw = false } = options;
  const name = output === undefined ? undefined : parseChoice('--output', output, outputFormats);
  if (raw && output !== 'csv') throw new UsageError('cli.usage.raw');
  const formatFlags = [
    output !== undefined && output !== 'json' ? `--output ${output}` : '',
    jq === undefined ? '' : '--jq',
    template === undefined ? '' : '--template',
  ].filter(Boolean);
  if (formatFlags.length > 1) throw new UsageError('cli.usage.together', { flags: formatFlags.join(', ') });
  if (json === undefined && output === undefined && formatFlags.length === 0) return undefined;
  return {
    kind: jq !== undefined ? 'jq' : template !== undefined ? 'template' : (name ?? 'json'),
    fields: json === undefined ? undefined : parseFieldNames(json, known),
    expression: jq ?? template ?? '',
    raw,
  };
}

/** The flag that selects the format. */
export function formatFlag({ kind }: OutputFormat): string {
  return kind === 'jq' || kind === 'template' ? `--${kind}` : `--output ${kind}`;
}

/** Whether the output is a table. */
export function isTableFormat(format: OutputFormat | undefined): boolean {
  return format === undefined || format.kind === 'table' || format.kind === 'wide';
}
