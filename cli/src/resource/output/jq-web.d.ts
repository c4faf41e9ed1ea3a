declare module 'jq-web' {
  /** Runs jq on a JSON text: undefined where it says nothing. Throws with `stderr` when it ends with another code than 0. */
  const jq: Promise<{ raw(json: string, filter: string, flags: readonly string[]): string | undefined }>;
  export default jq;
}
