/** Something, an @, something with a dot: whether the address exists only a mail can tell. */
export const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
