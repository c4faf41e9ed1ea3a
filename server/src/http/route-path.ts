/** A path of core's descriptions, `/api/nodes/{nodeId}`, as the router takes it, `/api/nodes/:nodeId`. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
