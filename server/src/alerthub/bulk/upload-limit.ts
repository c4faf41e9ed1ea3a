// Bytes of a file that is imported, and of the form around it.
export const maxFileBytes = 200 * 1024 * 1024;
export const maxUploadBytes = maxFileBytes + 65_536;
