/** NFC makes a text at most this many times shorter. */
export const NFC_SHRINKS = 4;

// Sorting combining marks takes quadratic time, so texts are normalised in pieces. No language needs more
// than 30 marks in a row.
const MANY_MARKS = /\p{M}{31}/u;
const PIECE = /\P{M}*\p{M}{0,30}/gu;

/** Texts are stored and compared in this form. Their length may change. */
export const toNfc = (text: string): string =>
  MANY_MARKS.test(text) ? text.replaceAll(PIECE, (piece) => piece.normalize('NFC')) : text.normalize('NFC');

/**
 * Follows RFC 8265 (OpaqueString), because devices encode letters and spaces differently. The result is as
 * long as the NFC form.
 */
export const normalisePassword = (password: string): string => toNfc(password).replaceAll(/\p{Zs}/gu, ' ');
