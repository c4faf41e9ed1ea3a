// The jobs of a thread where the server runs from its sources: in tests and tools.
import { importFromSource } from '../../../tools/bundling/import-from-source.mjs';

const { default: run } = await importFromSource('./thread-jobs.ts', import.meta.url);
export default run;
