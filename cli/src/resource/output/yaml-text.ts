// Formats data as YAML. Terminal control characters are escaped as in JSON.
import { Document, isScalar, visit } from 'yaml';
import { escapeForJson, hasControlCharacters } from '../../terminal/clean.ts';

export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      // Escapes such as \u202e are only possible in double-quoted strings.
      if (isScalar(node) && typeof node.value === 'string' && hasControlCharacters(node.value))
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeForJson(document.toString({ lineWidth: 0 }));
}
