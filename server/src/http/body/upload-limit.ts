// Maximum sizes in bytes of uploaded files, and of the multipart requests around them.
import { maxRecordingBytes } from '@yagura/core/pigeon/guidance';

export const maxFileBytes = 200 * 1024 * 1024;
export const maxUploadBytes = maxFileBytes + 65_536;
export const maxRecordingUploadBytes = maxRecordingBytes + 65_536;
