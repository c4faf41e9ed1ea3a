// Finds the resource of a console path by the page paths in the resource definitions.
import { resources } from '@yagura/core/all';
import type { PathParams } from '@yagura/core/resource/client';
import type { AnyResource } from '@yagura/core/resource/define-resource';

export interface ResourceMatch {
  resource: AnyResource;
  /** Path of the list (of the item itself if singleton) with its parameters filled in. */
  screen: string;
  /** Ids of the parents by field name. */
  params: PathParams;
  /** Segments after the list's path: none, `new`, an id, or an id and `edit`. */
  rest: string[];
}

/** Finds the resource of a path; throws a 404 Response if none matches. */
export function matchResource(path: string): ResourceMatch {
  const segments = path.split('/').filter(Boolean);
  let best: ResourceMatch | undefined;
  let length = 0;
  for (const resource of resources) {
    const pattern = resource.screen?.split('/').filter(Boolean);
    if (!pattern || pattern.length <= length || pattern.length > segments.length) continue;
    const params = matchSegments(pattern, segments);
    if (!params) continue;
    length = pattern.length;
    const screen = `/${segments.slice(0, length).join('/')}`;
    best = { resource, screen, params, rest: segments.slice(length).map(decode) };
  }
  if (!best) throw new Response(null, { status: 404 });
  return best;
}

function matchSegments(pattern: string[], segments: string[]): PathParams | null {
  const pathParams: PathParams = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!;
    if (part.startsWith(':')) pathParams[part.slice(1)] = decode(segment);
    else if (part !== segment) return null;
  }
  return pathParams;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
