// Starts the thread from its sources; the build puts the bundled thread in this place.
import { importFromSource } from '../../../../tools/bundling/import-from-source.mjs';

await importFromSource('./recording-worker.ts', import.meta.url);
