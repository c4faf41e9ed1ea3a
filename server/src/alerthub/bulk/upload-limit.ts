// Bytes of a file that is imported, and of the form around it.
export const largestFile = 200 * 1024 * 1024;
export const uploadLimit = largestFile + 65_536;
