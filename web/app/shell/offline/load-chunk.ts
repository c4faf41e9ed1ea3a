// Loads a part of the page that comes later, with its words, and gives up in the end.
import { pendingTranslations } from '../../i18n/loaded-translations.ts';

/** A part that has not come by then never will (spec section 8), in milliseconds. */
export const chunkTimeoutMs = 120_000;

/** The module, or an error that says what was waited for and how long. */
export async function loadChunk<M>(name: string, load: () => Promise<M>): Promise<M> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`${name}: not loaded within ${chunkTimeoutMs / 1000} s`);
      error.name = 'ChunkLoadError';
      reject(error);
    }, chunkTimeoutMs);
  });
  try {
    return await Promise.race([withTranslations(load), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function withTranslations<M>(load: () => Promise<M>): Promise<M> {
  const module = await load();
  await pendingTranslations();
  return module;
}
