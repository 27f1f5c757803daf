// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** Marks that could reorder the text around them; letters of right-to-left scripts are not among them. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u;
const ISOLATE = '\u2068';
const END_OF_ISOLATE = '\u2069';

/**
 * Typed text for a sentence, a subject or a display name: one line that cannot end a header or reorder the words around it.
 */
export function plain(value: string): string {
  const line = value.replaceAll(CONTROLS, ' ').replaceAll(DIRECTION_MARKS, '').trim();
  return RIGHT_TO_LEFT.test(line) ? `${ISOLATE}${line}${END_OF_ISOLATE}` : line;
}

/** `a?cc=x@b.co` is a valid address: in a mailto: link it must not become a header. */
export const mailtoAddress = (email: string): string =>
  email.replaceAll(/[^\w.+@~!$'*=-]/g, encodeURIComponent);
