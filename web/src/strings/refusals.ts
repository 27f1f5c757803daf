/** Translated error messages by error code. Empty in English, the language of the API. */
export const refusals: Partial<Record<string, string>> = {};
