/** Returns at most `most` digits of the text, with full-width digits as ASCII. */
export const keepDigits = (typed: string, most: number): string =>
  typed.normalize('NFKC').replace(/\D/g, '').slice(0, most);
