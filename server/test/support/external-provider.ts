// Runs the external OpenID provider of tests as a separate process.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ExternalProviderProcess {
  issuer: string;
  close(): Promise<void>;
}

/** Starts the provider with the claims for each name accepted on its sign-in page. */
export async function startExternalProvider(options: {
  clients: {
    client_id: string;
    client_secret?: string;
    redirect_uris: string[];
    post_logout_redirect_uris?: string[];
  }[];
  people: Record<string, Record<string, unknown>>;
  /** Claims in its ID tokens besides the standard ones. */
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
