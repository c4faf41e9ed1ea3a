// Parses a Mustache template into a tree. Tags are validated first, so that the parser only gets bounded,
// well-nested ones.
import Mustache from 'mustache';
import { type DataPath, parsePath } from '../data/data-path.ts';
import { type DecisionReasonKey, reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';

/** `path` is undefined for the current item, `{{.}}`. */
export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string; path: DataPath | undefined; raw: boolean }
  | { kind: 'section'; path: DataPath | undefined; inverted: boolean; nodes: TemplateNode[] };

/** Maximum length of a template and of a tag in characters, and maximum nesting of sections. */
const maxTemplateLength = 1_048_576;
const maxTagLength = 1000;
const maxNesting = 32;

const writer = new Mustache.Writer();
// Disabled, because Mustache's own cache, keyed by template and tags, would grow without bound.
Object.assign(writer, { templateCache: undefined });

/** Throws FlowError with an empty path and the line and column of the error. */
export function parseTemplate(template: string): TemplateNode[] {
  if (template.length > maxTemplateLength)
    throw new FlowError('', reason('why.template.long', { most: maxTemplateLength }));
  checkTags(template);
  let tokens: unknown[];
  try {
    tokens = writer.parse(template, ['{{', '}}']) as unknown[];
  } catch (error) {
    throw new FlowError('', reason('why.template.syntax', { detail: (error as Error).message }));
  }
  return nodesOf(tokens);
}

function checkTags(template: string): void {
  const open: { name: string; at: number }[] = [];
  let at = template.indexOf('{{');
  while (at >= 0) {
    const start = at + 2;
    const tagStart = at;
    const templateError = (messageKey: DecisionReasonKey, more: Record<string, unknown> = {}): FlowError =>
      new FlowError('', reason(messageKey, { ...lineAndColumn(template, tagStart), ...more }));
    let end = template.indexOf('}}', start);
    if (end < 0) throw templateError('why.template.unclosedTag');
    if (end - start > maxTagLength) throw templateError('why.template.longTag', { most: maxTagLength });
    let inside = template.slice(start, end).trim();
    const sign = inside[0] ?? '';
    if (sign === '{') {
      end = template.indexOf('}}}', start);
      if (end < 0) throw templateError('why.template.unclosedTag');
      if (end - start > maxTagLength) throw templateError('why.template.longTag', { most: maxTagLength });
      inside = template.slice(start, end).trim();
    }
    const name = /[#^/&{]/.test(sign) ? inside.slice(1).trim() : inside;
    if (sign === '>' || sign === '=') throw templateError('why.template.unsupported', { tag: `{{${sign}` });
    if (sign !== '!' && !isName(name))
      throw templateError('why.template.badName', { name: name.slice(0, 200) });
    if (sign === '#' || sign === '^') {
      open.push({ name, at });
      if (open.length > maxNesting) throw templateError('why.template.deep', { most: maxNesting });
    }
    if (sign === '/' && open.pop()?.name !== name) throw templateError('why.template.unopened', { name });
    at = template.indexOf('{{', end + (sign === '{' ? 3 : 2));
  }
  const left = open.pop();
  if (left) {
    throw new FlowError(
      '',
      reason('why.template.unclosed', { ...lineAndColumn(template, left.at), name: left.name }),
    );
  }
}

function isName(name: string): boolean {
  try {
    pathOf(name);
    return true;
  } catch (error) {
    if (error instanceof FlowError) return false;
    throw error;
  }
}

function pathOf(name: string): DataPath | undefined {
  return name === '.' ? undefined : parsePath(name);
}

function nodesOf(tokens: readonly unknown[]): TemplateNode[] {
  return tokens.flatMap((token): TemplateNode[] => {
    const [sign, name, , , inner] = token as [string, string, number, number, unknown[]];
    switch (sign) {
      case 'text':
        return [{ kind: 'text', text: name }];
      case 'name':
      case '&':
        return [{ kind: 'value', name, path: pathOf(name), raw: sign === '&' }];
      case '#':
      case '^':
        return [{ kind: 'section', path: pathOf(name), inverted: sign === '^', nodes: nodesOf(inner) }];
      default:
        return [];
    }
  });
}

/** Line and column of an index, both counted from 1. */
function lineAndColumn(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: index - lastBreak };
}
