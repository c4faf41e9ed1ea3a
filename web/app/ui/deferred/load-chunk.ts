// Loads a module on demand together with its translations, with a timeout.
import { pendingTranslations } from '../../i18n/loaded-translations.ts';

/** Loading timeout in milliseconds. */
export const chunkTimeoutMs = 120_000;

/** Resolves to the module; rejects with an error that names the module and the timeout. */
export async function loadChunk<M>(name: string, load: () => Promise<M>): Promise<M> {
  const error = new Error(`${name}: not loaded within ${chunkTimeoutMs / 1000} s`);
  error.name = 'ChunkLoadError';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(reject, chunkTimeoutMs, error);
  });
  const whole = async () => {
    const module = await load();
    await pendingTranslations();
    return module;
  };
  return Promise.race([whole(), late]).finally(() => clearTimeout(timer));
}
