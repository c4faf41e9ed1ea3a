/** Path of the router's module, as an ES module and as CommonJS. */
export const routerModulePattern: RegExp;
/** Returns the router's code with its caches. Throws when it is not the code that they were written for. */
export function cacheRouteMatching(code: string): string;
