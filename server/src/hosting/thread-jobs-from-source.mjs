// The jobs of a thread where the server runs from its sources: in tests and tools.
import { register } from 'tsx/esm/api';

register();
const { default: run } = await import('./thread-jobs.ts');
export default run;
