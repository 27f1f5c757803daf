/** By code; empty for the API's own language. */
export const refusals: Partial<Record<string, string>> = {};
