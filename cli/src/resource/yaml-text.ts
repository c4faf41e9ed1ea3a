// Data as YAML. What could steer a terminal is written out, as it is in JSON.
import { Document, isScalar, visit } from 'yaml';
import { hasSteering, writtenAsJson } from '../term/clean.ts';

export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      // Only between double quotes may a character be written as \u202e.
      if (isScalar(node) && typeof node.value === 'string' && hasSteering(node.value))
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return writtenAsJson(document.toString({ lineWidth: 0 }));
}
