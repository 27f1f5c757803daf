// Replaces `@jest/globals`, which works only in Jest's own runner.
export const { jest, expect } = globalThis;
