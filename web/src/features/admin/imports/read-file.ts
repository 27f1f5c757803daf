import { IMPORTS } from '@meetmark/contracts/import-limits';

/** `unreadable` includes files that are neither text nor a calendar. */
type FileFault = 'tooLarge' | 'unreadable' | 'empty' | 'tooMany';

export class ImportFileError extends Error {
  constructor(readonly fault: FileFault) {
    super(fault);
  }
}

/**
 * Reads UTF-8, UTF-16 with a byte order mark, or else Windows-1252.
 * @throws ImportFileError
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > IMPORTS.file) throw new ImportFileError('tooLarge');
  const text = new TextDecoder(getEncoding(bytes)).decode(bytes);
  if (text.includes('\0')) throw new ImportFileError('unreadable');
  if (text.trim() === '') throw new ImportFileError('empty');
  return text;
}

function getEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

// oxlint-disable-next-line no-control-regex -- removes characters that can't be stored
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Removes what can't be stored, and cuts the text to what the server accepts for a row. */
export function cleanText(text: string): string | null {
  const clean = text
    .slice(0, IMPORTS.text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROL, '')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .trim();
  return clean === '' ? null : clean;
}

const DIRECTIONS = /[\u0080-\u009f\u2028-\u202e\u2066-\u2069]/g;

export const cleanLine = (text: string): string | null =>
  cleanText(text.replaceAll(DIRECTIONS, ' ').replaceAll(/\s{1,1000}/g, ' '));
