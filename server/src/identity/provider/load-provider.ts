// Loads the OpenID provider library without its word on the version of Node: it is tested on all that are supported here.
type Library = typeof import('oidc-provider');

const known = 'oidc-provider WARNING: Unsupported runtime.';

let loaded: Promise<Library> | undefined;

/** The library, loaded once. Every other warning of it, or of anybody else meanwhile, is passed on. */
export function loadProvider(): Promise<Library> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Library> {
  const warn = console.warn;
  const filtered = (...parts: unknown[]) => {
    const [first] = parts;
    if (typeof first !== 'string' || !first.includes(known)) warn.apply(console, parts);
  };
  console.warn = filtered;
  try {
    return await import('oidc-provider');
  } finally {
    if (console.warn === filtered) console.warn = warn;
  }
}
