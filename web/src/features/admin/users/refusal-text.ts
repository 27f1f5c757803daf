import { refusedFields, serverMessage } from '../../../api/client';

interface RefusalWords {
  /** When another account has the address. */
  taken: string;
  /** When the server said nothing. */
  fallback: string;
}

/** The server's own words, except where the specification has words for an address that is taken. */
export function refusalText(error: unknown, { taken, fallback }: RefusalWords): string {
  const message = serverMessage(error);
  if (message === null) return fallback;
  if (/already (exists|taken)/i.test(message)) return taken;
  return [message, ...Object.values(refusedFields(error))].join(': ');
}
