// Data as YAML. What could steer a terminal is written out, as it is in JSON.
import { Document, isScalar, visit } from 'yaml';
import { escapeForJson, hasControlCharacters } from '../../terminal/clean.ts';

export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      // Only between double quotes may a character be written as \u202e.
      if (isScalar(node) && typeof node.value === 'string' && hasControlCharacters(node.value))
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeForJson(document.toString({ lineWidth: 0 }));
}
