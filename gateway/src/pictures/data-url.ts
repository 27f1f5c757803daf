import { DomainError, PICTURES } from '@meetmark/contracts';

const BASE64_CHARACTERS = 4;
const BASE64_BYTES = 3;

/**
 * The bytes of a `data:…;base64,…` URL. Its label is not looked at: what counts is the content.
 * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN
 */
export function decodeDataUrl(url: string): Buffer {
  const comma = url.indexOf(',');
  if (comma === -1 || !/;base64$/i.test(url.slice(0, comma))) throw new DomainError('PICTURE_TYPE');
  const base64 = url.slice(comma + 1);
  if ((base64.length / BASE64_CHARACTERS) * BASE64_BYTES > PICTURES.maxBytes + BASE64_BYTES)
    throw new DomainError('PICTURE_TOO_LARGE');
  if (!isBase64(base64)) throw new DomainError('PICTURE_BROKEN');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > PICTURES.maxBytes) throw new DomainError('PICTURE_TOO_LARGE');
  return bytes;
}

/** Looks for what does not belong there: one pattern for the whole would remember millions of places, and run out of stack. */
function isBase64(text: string): boolean {
  const end = text.search(/[^A-Za-z0-9+/]/);
  return end === -1 ? text !== '' : end > 0 && /^={1,2}$/.test(text.slice(end, end + 3));
}
