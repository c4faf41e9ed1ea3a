// Starts the outside OpenID provider of tests as a process of its own.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ExternalProviderProcess {
  issuer: string;
  close(): Promise<void>;
}

/** `people` are the claims of each name that may be typed at its sign-in page. */
export async function startExternalProvider(options: {
  clients: {
    client_id: string;
    client_secret?: string;
    redirect_uris: string[];
    post_logout_redirect_uris?: string[];
  }[];
  people: Record<string, Record<string, unknown>>;
  /** Claims beside the standard ones that its ID tokens hold. */
  claimNames?: string[];
}): Promise<ExternalProviderProcess> {
  const file = fileURLToPath(new URL('./external-provider.mjs', import.meta.url));
  const child = fork(file, [JSON.stringify(options)], { execArgv: [], stdio: 'inherit' });
  const issuer = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { issuer: string }).issuer));
    child.once('exit', (code) => reject(new Error(`The outside provider ended with ${code}`)));
  });
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}
