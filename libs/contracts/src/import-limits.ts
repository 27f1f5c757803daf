/** Not in LIMITS, so that every page's script stays small. */
export const IMPORTS = {
  /** Bytes of a file. */
  file: 5 * 1024 * 1024,
  rows: 2_000,
  /** Rows per request. More would exceed the gateway's limit of JSON values. */
  batch: 40,
  /** Longer than any field, so that a text that is too long is reported for its row. */
  text: 20_000,
  key: 1_000,
  fileName: 255,
  /** Rest after each step, as a multiple of its time, so that visitors don't notice the import. */
  rest: 2,
} as const;
