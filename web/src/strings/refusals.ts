/** Translated error messages by code; empty in the API's own language. */
export const refusals: Partial<Record<string, string>> = {};
