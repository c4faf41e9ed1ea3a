// The runbook records that a message started.
export { default, loader } from './runbook-records.tsx';
