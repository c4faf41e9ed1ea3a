// Maximum size in bytes of an imported file, and of the multipart request around it.
export const maxFileBytes = 200 * 1024 * 1024;
export const maxUploadBytes = maxFileBytes + 65_536;
