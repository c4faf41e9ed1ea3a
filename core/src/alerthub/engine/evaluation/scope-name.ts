// Reads the display name of a scope from the data of a message.
import { displayName } from '../../../resource/field.ts';
import { cleanName } from '../../../validation/name-characters.ts';
import type { Reason } from '../../decision-log.ts';
import type { ScopeNameSource } from '../../flow-schema.ts';
import { toText } from '../data/convert-values.ts';
import { parsePath } from '../data/data-path.ts';
import type { FlowData } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { withErrorPath } from '../errors/flow-error.ts';
import {
  compileTemplate,
  maxRenderWork,
  type RenderResult,
  renderCompiled,
  type Template,
} from '../template/render-template.ts';

export interface ScopeName {
  /** The display name; the reason if there is none, or if no scope can have it. */
  read(data: FlowData): string | Reason;
}

const scopeDisplayName = displayName();

/** Throws FlowError that names the field. */
export function compileScopeName(source: NonNullable<ScopeNameSource>): ScopeName {
  if ('path' in source) {
    const path = withErrorPath('path', () => parsePath(source.path));
    const noName = reason('why.event.noScopeName', { path: path.text });
    return { read: (data) => checkScopeName(toText(data.read(path)) ?? '', noName) };
  }
  const template = withErrorPath('template', () => compileTemplate(source.template));
  const noName = reason('why.event.noScopeName', { path: source.template });
  return {
    read(data) {
      const { text, missing } = renderName(template, data);
      if (missing.length > 0) return reason('why.event.noScopeName', { path: missing[0] });
      return checkScopeName(text, noName);
    },
  };
}

/** Throws FlowError if the rendering exceeds a limit. */
function renderName(template: Template, data: FlowData): RenderResult {
  try {
    const rendered = renderCompiled(template, data.root, { escape: 'none' });
    data.spend(rendered.work);
    return rendered;
  } catch (error) {
    data.spend(maxRenderWork);
    throw error;
  }
}

/**
 * A text as the display name of a scope, without the characters that a name must not have; the reason if no scope can
 * have it. `ifEmpty` is the reason if nothing is left of it.
 */
export function checkScopeName(text: string, ifEmpty?: Reason): string | Reason {
  const name = cleanName(text);
  if (name === '' && ifEmpty) return ifEmpty;
  const checked = scopeDisplayName.safeParse(name);
  if (checked.success && name.isWellFormed()) return checked.data;
  return reason('why.event.badScopeName', { name: name.slice(0, 100).toWellFormed() });
}
