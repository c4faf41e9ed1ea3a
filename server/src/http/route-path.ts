/** Converts an OpenAPI path, `/api/nodes/{nodeId}`, to router syntax, `/api/nodes/:nodeId`. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
