// Data paths of the values in a message, offered while a rule for such messages is written.

const maxPaths = 200;
const maxPathLength = 512;
const maxDepth = 12;
/** A list of text lines or numbers needs no path for each. */
const maxElements = 3;

/** Lists the paths of texts, numbers and truth values in the parsed body of a message, in its order. */
export function messagePaths(data: unknown): string[] {
  const paths: string[] = [];
  collect(data, 'message.content.data', 0, paths);
  return paths;
}

function collect(value: unknown, path: string, depth: number, paths: string[]): void {
  if (paths.length >= maxPaths || path.length > maxPathLength || depth > maxDepth) return;
  if (Array.isArray(value)) {
    value.slice(0, maxElements).forEach((element, index) => {
      collect(element, `${path}.${index}`, depth + 1, paths);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      collect(member, path + pathKey(key), depth + 1, paths);
    }
  } else if (value !== null && depth > 0) paths.push(path);
}

/** A key as part of a dotted path. */
function pathKey(key: string): string {
  return /^[^\s.[\]"]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
