/** `a?cc=x@b.co` is a valid address: as part of a mailto: address it must not become a header. */
export const mailtoAddress = (email: string): string =>
  email.replaceAll(/[^\w.+@~!$'*=-]/g, encodeURIComponent);
