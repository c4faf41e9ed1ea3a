// Renames a step in the parameters of a step that refer to it: `steps.<id>` in data paths and templates.
import type { RunbookStep } from '@yagura/core/alerthub/runbook';

type StepParams = RunbookStep['params'];

/** Formats of an operator's or a condition's parameters by name, such as `data-path`. */
export type ParamFormats = Readonly<Record<string, string | undefined>>;

/** Both ids have only letters, digits, underscores and hyphens. */
export function renameReferences(
  params: StepParams,
  from: string,
  to: string,
  formats: ParamFormats,
): StepParams {
  const { severityName, attributes } = params;
  const inPath = (text: string) => renameAfter(pathBeginning, text, from, to);
  return {
    ...params,
    ...(severityName && 'path' in severityName ? { severityName: { path: inPath(severityName.path) } } : {}),
    ...(attributes && {
      attributes: attributes.map((one) =>
        typeof one.value === 'string' ? one : { ...one, value: { path: inPath(one.value.path) } },
      ),
    }),
    ...(isObject(params.params) && {
      params: Object.fromEntries(
        Object.entries(params.params).map(([name, value]) => [
          name,
          typeof value === 'string' ? renameInText(formats[name], value, from, to) : value,
        ]),
      ),
    }),
  };
}

function renameInText(format: string | undefined, text: string, from: string, to: string): string {
  if (format === 'step-id') return text === from ? to : text;
  if (format === 'data-path') return renameAfter(pathBeginning, text, from, to);
  return format === 'template' ? renameAfter(tagBeginning, text, from, to) : text;
}

/** Dotted or JSONPath; the id may be a quoted key. */
const stepsKey = String.raw`(?:\$\.)?steps(?:\.|\[["'])`;
const pathBeginning = String.raw`^\s*${stepsKey}`;
/** A comment, `{{! }}`, has no path. */
const tagBeginning = String.raw`\{\{\{?\s*[#^/&]?\s*${stepsKey}`;

function renameAfter(beginning: string, text: string, from: string, to: string): string {
  return text.replace(
    new RegExp(`(${beginning})${from}(?![\\w-])`, 'g'),
    (_found, head: string) => head + to,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
