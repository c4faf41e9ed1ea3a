// Reads YAML and JSON files: `kind: [items]`, or a list in a file named after its kind.

import type { Translate } from '@yagura/core/i18n/translator';
import type { Fields } from '@yagura/core/plan/plan-item';
import { isNode, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import { yamlReason } from './syntax-faults.ts';

export interface FileFault {
  file: string;
  line: number;
  field?: string | undefined;
  reason: string;
}

/** One item of a file; `kind` is the plural as written in the file. */
export interface ParsedItem {
  kind: string;
  fields: Fields;
  lineOf(path: string): number;
}

/** A kind that occurs in a file without items. */
export interface EmptyKind {
  kind: string;
  line: number;
}

/**
 * Returns every item of every document. Unreadable parts become errors with their line; kinds without items are added
 * to `empty`.
 */
export function readYaml(
  text: string,
  file: string,
  fileKind: string,
  faults: FileFault[],
  t: Translate,
  empty: EmptyKind[] = [],
): ParsedItem[] {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const documents = Array.isArray(parsed) ? parsed : [];
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const parts: ParsedItem[] = [];
  for (const document of documents) {
    for (const error of document.errors)
      faults.push({ file, line: lineAt(error.pos[0]), reason: yamlReason(error, t) });
    if (document.errors.length > 0 || document.contents === null) continue;
    let data: unknown;
    try {
      // Legitimate files use few aliases; many of them are an expansion attack.
      data = document.toJS({ maxAliasCount: 100 });
    } catch {
      faults.push({ file, line: 1, reason: t('plan.yaml.aliases') });
      continue;
    }
    if (data === null) continue;
    const isList = isSeq(document.contents);
    const top = isList ? { [fileKind]: data } : data;
    if (typeof top !== 'object') {
      faults.push({ file, line: 1, reason: t('plan.not-items') });
      continue;
    }
    for (const [kind, items] of Object.entries(top as Fields)) {
      const lineOf = (path: readonly string[]): number => {
        for (let length = path.length; length >= 0; length -= 1) {
          const node = document.getIn([...(isList ? [] : [kind]), ...path.slice(0, length)], true);
          if (isNode(node) && node.range) return lineAt(node.range[0]);
        }
        return 1;
      };
      if (!Array.isArray(items)) {
        faults.push({ file, line: lineOf([]), field: kind, reason: t('plan.not-items') });
        continue;
      }
      if (items.length === 0) empty.push({ kind, line: lineOf([]) });
      items.forEach((item: unknown, index) => {
        const lineAtPath = (path: string) => lineOf([String(index), ...(path === '' ? [] : path.split('.'))]);
        if (typeof item === 'object' && item !== null && !Array.isArray(item))
          parts.push({ kind, fields: item as Fields, lineOf: lineAtPath });
        else faults.push({ file, line: lineAtPath(''), field: kind, reason: t('plan.not-items') });
      });
    }
  }
  return parts;
}
