// Finds the references of a runbook step to the results of other steps: `steps.<id>` in data paths and templates.
import type { RunbookStep } from '../../runbook.ts';
import { type DataPath, parsePath } from '../data/data-path.ts';
import { findBranchCondition } from '../operators/branch-conditions.ts';
import { findOperator } from '../operators/operators.ts';
import { parseTemplate, type TemplateNode } from '../template/parse-template.ts';
import { type ActionSource, templatesOf } from '../template/render-action.ts';

interface StepReference {
  /** Dotted path of the field below the step. */
  path: string;
  stepId: string;
}

/** References of a step whose parameters are valid. */
export function stepReferences(
  step: RunbookStep,
  actions: ReadonlyMap<string, ActionSource>,
): StepReference[] {
  const { kind, params } = step;
  if (kind === 'action') {
    const action = actions.get(params.actionId ?? '');
    const templates = action ? templatesOf(action).map(([, template]) => template) : [];
    return unique(templates.flatMap(idsInTemplate)).map((stepId) => ({ path: 'params.actionId', stepId }));
  }
  if (kind === 'event') {
    const name = params.severityName;
    const paths: [string, string][] = name && 'path' in name ? [['severityName.path', name.path]] : [];
    for (const [index, { value }] of (params.attributes ?? []).entries())
      if (typeof value !== 'string') paths.push([`attributes.${index}.value.path`, value.path]);
    return paths.flatMap(([path, text]) =>
      idsOfPath(parsePath(text)).map((stepId) => ({ path: `params.${path}`, stepId })),
    );
  }
  const found =
    kind === 'operator'
      ? findOperator(params.operatorId ?? '')
      : findBranchCondition(params.conditionId ?? '');
  const properties = (found?.params.properties ?? {}) as Record<string, { format?: string }>;
  return Object.entries((params.params ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    unique(idsInParam(properties[name]?.format, value)).map((stepId) => ({
      path: `params.params.${name}`,
      stepId,
    })),
  );
}

function idsInParam(format: string | undefined, value: unknown): string[] {
  if (typeof value !== 'string') return [];
  if (format === 'step-id') return [value];
  if (format === 'data-path') return idsOfPath(parsePath(value));
  return format === 'template' ? idsInTemplate(value) : [];
}

function idsInTemplate(template: string): string[] {
  const idsIn = (nodes: readonly TemplateNode[]): string[] =>
    nodes.flatMap((node) => {
      if (node.kind === 'text') return [];
      const own = node.path ? idsOfPath(node.path) : [];
      return node.kind === 'section' ? [...own, ...idsIn(node.nodes)] : own;
    });
  return idsIn(parseTemplate(template));
}

/** Of a JSONPath query, the step that it begins with. */
const queriedStep = /^\$\.steps(?:\.([\w-]+)|\[(['"])(.*?)\2\])/;

function idsOfPath({ keys, text }: DataPath): string[] {
  if (!keys) {
    const [, member, , quoted] = queriedStep.exec(text) ?? [];
    const stepId = member ?? quoted;
    return stepId === undefined ? [] : [stepId];
  }
  const [root, stepId] = keys;
  return root === 'steps' && stepId !== undefined ? [stepId] : [];
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
