// Which resource a path of the console shows: found by the screen that its descriptor names.
import { resources } from '@yagura/core/all';
import type { PathParams } from '@yagura/core/resource/client';
import type { AnyResource } from '@yagura/core/resource/define-resource';

export interface ResourceMatch {
  resource: AnyResource;
  /** Path of the list (of the thing itself when singleton), filled in. */
  screen: string;
  /** Ids of the parents by field name. */
  params: PathParams;
  /** What follows the screen's path: nothing, `new`, an id, an id and `edit`. */
  rest: string[];
}

/** Finds the resource of a path; a Response 404 is thrown when none has a screen there. */
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
