// Data as text for programs: JSON, lines of JSON, YAML, CSV, what jq makes of it, or a template filled for each item.
import { cleanJson, cleanText } from '../term/clean.ts';
import { chosen, jsonText, pickFields, valueAt } from '../term/json.ts';
import type { Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import type { DataForm } from './data-form.ts';
import type { Row } from './entry.ts';
import { plainValue } from './present.ts';

/** Writes rows one after the other, as they come. Null when the form wants all of them at once. */
export async function rowWriter(
  terminal: Terminal,
  form: DataForm,
  columns: readonly string[],
  known: readonly string[],
): Promise<((row: Row) => void) | null> {
  const { write } = terminal.out;
  const pick = pickOf(form);
  if (form.style === 'ndjson') return (row) => write(`${cleanJson(pick(row))}\n`);
  if (form.style === 'csv') {
    const names = form.fields ?? columns;
    write(csvLine(names));
    return (row) => write(csvLine(names.map((name) => plainValue(valueAt(row, name)))));
  }
  if (form.style === 'template') {
    const fill = await templateOf(terminal, form.program, form.fields ?? known);
    const harmless = terminal.out.live ? cleanText : (text: string) => text;
    return (row) => write(ended(harmless(fill(pick(row)))));
  }
  return null;
}

/** Writes one document: the item, or the list of items. */
export async function writeDocument(
  terminal: Terminal,
  value: Row | readonly Row[],
  form: DataForm,
): Promise<void> {
  const pick = pickOf(form);
  const data = Array.isArray(value) ? value.map(pick) : pick(value as Row);
  const { out } = terminal;
  if (form.style === 'yaml') {
    const { yamlText } = await import('./yaml-text.ts');
    out.write(yamlText(data));
  } else if (form.style === 'jq') {
    const { runJq } = await import('./jq.ts');
    const text = await runJq(data, form.program, out.live);
    out.write(out.live ? ended(cleanText(text)) : ended(text));
  } else out.write(jsonText(data, out.live));
}

function pickOf({ fields }: DataForm): (row: Row) => Row {
  return fields ? (row) => chosen(row, fields) : (row) => row;
}

/** One line of RFC 4180. */
function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** The same templates that actions have. */
async function templateOf(
  terminal: Terminal,
  template: string,
  known: readonly string[],
): Promise<(row: Row) => string> {
  const { compileTemplate, renderCompiled } = await import('@yagura/core/alerthub/decide/template');
  const { FlowError } = await import('@yagura/core/alerthub/decide/flow-error');
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      const { word, params } = error.reason;
      throw new Usage('cli.usage.template', { reason: terminal.t(word, params) });
    }
  };
  const compiled = told(() => compileTemplate(template));
  for (const node of compiled.nodes) {
    if (node.kind !== 'text' && node.path !== undefined) pickFields(node.path.keys[0]!, known);
  }
  return (row) => told(() => renderCompiled(compiled, row, { escape: 'none' }).text);
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
