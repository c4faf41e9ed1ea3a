// Reads the display name of a scope from the data of a message.
import { displayName } from '../../../resource/field.ts';
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
    return {
      read(data) {
        const text = toText(data.read(path))?.trim() ?? '';
        return text === '' ? reason('why.event.noScopeName', { path: path.text }) : checkScopeName(text);
      },
    };
  }
  const template = withErrorPath('template', () => compileTemplate(source.template));
  return {
    read(data) {
      const { text, missing } = renderName(template, data);
      if (missing.length > 0) return reason('why.event.noScopeName', { path: missing[0] });
      const name = text.trim();
      return name === '' ? reason('why.event.noScopeName', { path: source.template }) : checkScopeName(name);
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

/** A text as the display name of a scope; the reason if no scope can have it. */
export function checkScopeName(text: string): string | Reason {
  const checked = scopeDisplayName.safeParse(text);
  if (checked.success && !/[\p{Cc}\p{Cs}]/u.test(checked.data)) return checked.data;
  return reason('why.event.badScopeName', {
    name: text
      .slice(0, 100)
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' '),
  });
}
