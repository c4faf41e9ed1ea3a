// Loads the OpenID provider library and suppresses its warning about the Node version, since every supported
// version is tested here.
type Library = typeof import('oidc-provider');

const known = 'oidc-provider WARNING: Unsupported runtime.';

let loaded: Promise<Library> | undefined;

/** Loads the library once. All other warnings printed meanwhile are passed on. */
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
