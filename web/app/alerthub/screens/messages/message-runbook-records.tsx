// List of the runbook records that a message started.
export { default, loader } from '../runbooks/runbook-records.tsx';
