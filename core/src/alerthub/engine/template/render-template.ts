// Renders Mustache templates: no HTML escaping, no code in data, own properties only, bounded output and
// work.

import { boundedJson } from '../data/bounded-json.ts';
import { type DataPath, readPath } from '../data/data-path.ts';
import { queryBudget } from '../data/json-path.ts';
import { firstSelected } from '../data/selected-list.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import { parseTemplate, type TemplateNode } from './parse-template.ts';

export interface Template {
  readonly nodes: readonly TemplateNode[];
}

export interface RenderOptions {
  /** `json` escapes `{{name}}` for use inside a JSON string; `{{{name}}}` is never escaped. */
  escape: 'none' | 'json';
}

export interface RenderResult {
  text: string;
  /** Variables without a value, each once, in order of appearance. */
  missing: string[];
  /** Work that it took, in characters. */
  work: number;
}

/** Maximum length of a rendered text in characters. */
export const maxOutputLength = 1_048_576;
/** Maximum number of tags and texts processed per rendering; a section counts once for each item. */
const maxNodes = 200_000;
/** Work of a tag or text besides its output. */
const unitsPerNode = 20;
/** What a rendering that exceeds a limit may have cost. */
export const maxRenderWork = maxNodes * unitsPerNode + maxOutputLength;
const maxMissing = 100;

/** Throws FlowError with an empty path and the position of the error. */
export function compileTemplate(template: string): Template {
  return { nodes: parseTemplate(template) };
}

/** The error in a template; undefined if it is valid. */
export function checkTemplate(template: string): FlowError | undefined {
  try {
    compileTemplate(template);
    return undefined;
  } catch (error) {
    if (error instanceof FlowError) return error;
    throw error;
  }
}

/**
 * Renders a template text; parsed templates are cached. Throws FlowError for an invalid template or an
 * exceeded limit.
 */
export function renderTemplate(template: string, context: unknown, options: RenderOptions): RenderResult {
  return renderCompiled(getCompiledTemplate(template), context, options);
}

/** Renders a compiled template. Throws FlowError if the output or the work exceeds its limit. */
export function renderCompiled(template: Template, context: unknown, options: RenderOptions): RenderResult {
  const rendering = new Rendering(context, options.escape === 'json');
  rendering.nodes(template.nodes, [context]);
  return { text: rendering.text, missing: [...rendering.missing], work: rendering.work };
}

class Rendering {
  text = '';
  readonly missing = new Set<string>();
  readonly #root: unknown;
  readonly #escapeJson: boolean;
  readonly #selected = new Map<string, unknown>();
  readonly #budget = queryBudget();
  #left = maxNodes;

  constructor(root: unknown, escapeJson: boolean) {
    this.#root = root;
    this.#escapeJson = escapeJson;
  }

  get work(): number {
    const queries = queryBudget().left - this.#budget.left;
    return (maxNodes - this.#left + queries) * unitsPerNode + this.text.length;
  }

  /** `stack` holds the root and the items of the enclosing sections, innermost last. */
  nodes(nodes: readonly TemplateNode[], stack: unknown[]): void {
    for (const node of nodes) {
      this.#left -= 1;
      if (this.#left < 0) throw new FlowError('', reason('why.template.tooMuchWork'));
      if (node.kind === 'text') this.#add(node.text);
      else if (node.kind === 'value') this.#value(node, stack);
      else this.#section(node, stack);
    }
  }

  #value(node: TemplateNode & { kind: 'value' }, stack: unknown[]): void {
    const value = firstSelected(this.#resolve(node.path, stack));
    if (value === undefined || value === null || typeof value === 'function') {
      if (this.missing.size < maxMissing) this.missing.add(node.name);
      return;
    }
    const text = this.#print(value);
    this.#add(this.#escapeJson && !node.raw ? JSON.stringify(text).slice(1, -1) : text);
  }

  #print(value: unknown): string {
    if (typeof value !== 'object') {
      const text = String(value);
      if (text.length > maxOutputLength - this.text.length) throw outputTooLongError();
      return text;
    }
    const json = boundedJson(value, maxOutputLength - this.text.length);
    if (!json.isComplete) throw outputTooLongError();
    return json.text;
  }

  #section(node: TemplateNode & { kind: 'section' }, stack: unknown[]): void {
    const value = this.#resolve(node.path, stack);
    const empty = !value || typeof value === 'function' || (Array.isArray(value) && value.length === 0);
    if (node.inverted) {
      if (empty) this.nodes(node.nodes, stack);
      return;
    }
    if (empty) return;
    if (value === true) {
      this.nodes(node.nodes, stack);
      return;
    }
    for (const item of Array.isArray(value) ? value : [value]) {
      this.#left -= 1;
      if (this.#left < 0) throw new FlowError('', reason('why.template.tooMuchWork'));
      stack.push(item);
      this.nodes(node.nodes, stack);
      stack.pop();
    }
  }

  /** A query always starts at the root, so it is evaluated once. */
  #resolve(path: DataPath | undefined, stack: readonly unknown[]): unknown {
    if (!path?.query) return resolveName(path, stack);
    if (!this.#selected.has(path.text))
      this.#selected.set(path.text, readPath(this.#root, path, this.#budget));
    return this.#selected.get(path.text);
  }

  #add(text: string): void {
    this.text += text;
    if (this.text.length > maxOutputLength) throw outputTooLongError();
  }
}

/** The value of a name, taken from the innermost item that has the whole path. */
function resolveName(path: DataPath | undefined, stack: readonly unknown[]): unknown {
  if (path === undefined) return stack[stack.length - 1];
  for (let index = stack.length - 1; index >= 0; index -= 1) {
    const value = readPath(stack[index], path);
    if (value !== undefined) return value;
  }
  return undefined;
}

function outputTooLongError(): FlowError {
  return new FlowError('', reason('why.template.outputLong', { most: maxOutputLength }));
}

const maxCachedTemplates = 500;
const maxCachedCharacters = 8_388_608;
const templateCache = new Map<string, Template>();
let cachedCharacters = 0;

function getCompiledTemplate(template: string): Template {
  const known = templateCache.get(template);
  if (known) return known;
  const compiled = compileTemplate(template);
  templateCache.set(template, compiled);
  cachedCharacters += template.length;
  for (const oldest of templateCache.keys()) {
    if (templateCache.size <= maxCachedTemplates && cachedCharacters <= maxCachedCharacters) break;
    templateCache.delete(oldest);
    cachedCharacters -= oldest.length;
  }
  return compiled;
}
