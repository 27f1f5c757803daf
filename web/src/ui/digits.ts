/** Full-width digits become ASCII. */
export const keepDigits = (typed: string, most: number): string =>
  typed.normalize('NFKC').replace(/\D/g, '').slice(0, most);
