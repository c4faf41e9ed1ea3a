declare module 'jq-web' {
  /**
   * Runs jq on a JSON text: undefined when there is no output. Throws an error with `stderr` on a nonzero
   * exit code.
   */
  const jq: Promise<{ raw(json: string, filter: string, flags: readonly string[]): string | undefined }>;
  export default jq;
}
